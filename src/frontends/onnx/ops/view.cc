// Views of a tensor under another shape, and questions about a shape.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "frontends/onnx/ops/families.h"
#include "frontends/onnx/ops/fold.h"

namespace berth::onnx {
namespace {

// A view with the elements of input 0 in their order.
void set_view(OpContext& op, Dims dims) {
  op.tensor(0, op.element(0), std::move(dims));
  op.alias(0, 0);
  fold_copy(op, 0, 0);
}

void set_unranked_view(OpContext& op) {
  op.unranked(0, op.element(0));
  op.alias(0, 0);
}

// The number of axes tells the rank even if their values are not known.
void set_rank_view(OpContext& op, std::int64_t rank) {
  if (rank < 0 || rank > static_cast<std::int64_t>(kMaxRank)) {
    set_unranked_view(op);
    return;
  }
  op.tensor(0, op.element(0), Dims(static_cast<std::size_t>(rank), kUnknown));
  op.alias(0, 0);
}

// The one dimension that is open follows from the number of elements.
void close_open_dim(OpContext& op, Dims& dims) {
  const auto open = std::count(dims.begin(), dims.end(), kUnknown);
  const auto elements = op.in(0).elements();
  if (open != 1 || !elements) return;
  std::int64_t others = 1;
  for (const std::int64_t dim : dims) others = dim == kUnknown ? others : multiply(others, dim);
  if (others < 0) return;
  const auto place = std::find(dims.begin(), dims.end(), kUnknown);
  if (others == 0) {
    *place = *elements == 0 ? 0 : kUnknown;
  } else if (*elements % others == 0 || op.in(0).is_bound) {
    *place = *elements / others;
  } else {
    op.complain(fmt::format("was given {} elements; expected a multiple of {}", *elements, others));
  }
}

void infer_reshape(OpContext& op) {
  const auto target = op.list(1, "shape");
  if (!target) {
    // Only the length of the shape may be known: that is the rank.
    const std::int64_t rank = op.dim(1, 0);
    if (!op.ranked(1, 1) || rank < 0 || rank > static_cast<std::int64_t>(kMaxRank)) {
      set_unranked_view(op);
      return;
    }
    Dims dims(static_cast<std::size_t>(rank), kUnknown);
    close_open_dim(op, dims);
    set_view(op, std::move(dims));
    return;
  }
  const bool zero_is_zero = op.attribute("allowzero", 0) != 0;
  Dims dims;
  for (std::size_t axis = 0; axis < target->size() && axis <= kMaxRank; ++axis) {
    const std::int64_t wanted = (*target)[axis];
    if (wanted == 0 && !zero_is_zero) {
      dims.push_back(op.dim(0, static_cast<std::int64_t>(axis)));
    } else {
      dims.push_back(as_dim(wanted));
    }
  }
  close_open_dim(op, dims);
  const auto elements = op.in(0).elements();
  if (elements && differ(product(dims), *elements) && !op.in(0).is_bound) {
    op.complain(fmt::format("cannot turn {} into {}; expected the same number of elements",
                            text_of(op.dims(0)), text_of(dims)));
    set_unranked_view(op);
    return;
  }
  set_view(op, std::move(dims));
}

// Marks the axes of a list in a tensor of this rank; nothing when one is out of range or twice.
std::optional<std::vector<bool>> marked_axes(OpContext& op, const Dims& axes, std::size_t rank) {
  std::vector<bool> marked(rank, false);
  for (const std::int64_t axis : axes) {
    const auto counted = axis_of(axis, rank);
    if (!counted || marked[static_cast<std::size_t>(*counted)]) {
      op.complain(fmt::format("names axis {}; expected different axes of {}",
                              is_known(axis) ? fmt::format("{}", axis) : "?", rank));
      return std::nullopt;
    }
    marked[static_cast<std::size_t>(*counted)] = true;
  }
  return marked;
}

void infer_squeeze(OpContext& op) {
  const bool listed = op.has(1) || op.has_attribute("axes");
  const auto axes = op.list(1, "axes");
  if (!op.ranked(0) || (listed && !axes)) {
    const auto rank = op.ranked(0) ? static_cast<std::int64_t>(op.rank(0)) : kUnknown;
    set_rank_view(op, subtract(rank, op.dim(1, 0)));
    return;
  }
  std::optional<std::vector<bool>> drop = std::vector<bool>(op.rank(0), false);
  if (listed) {
    drop = marked_axes(op, *axes, op.rank(0));
  } else {
    for (std::size_t axis = 0; axis < op.rank(0); ++axis) (*drop)[axis] = op.dims(0)[axis] == 1;
  }
  if (!drop) {
    set_unranked_view(op);
    return;
  }
  Dims dims;
  for (std::size_t axis = 0; axis < op.rank(0); ++axis) {
    if (!(*drop)[axis]) {
      dims.push_back(op.dims(0)[axis]);
    } else if (op.dims(0)[axis] > 1 || op.dims(0)[axis] == 0) {
      op.complain(fmt::format("drops axis {} of {}; expected an axis of extent 1", axis,
                              text_of(op.dims(0))));
    }
  }
  set_view(op, std::move(dims));
}

void infer_unsqueeze(OpContext& op) {
  const auto axes = op.list(1, "axes");
  const std::size_t added = axes ? axes->size() : 0;
  if (op.ranked(0) && !axes) {
    set_rank_view(op, add(static_cast<std::int64_t>(op.rank(0)), op.dim(1, 0)));
    return;
  }
  if (!op.ranked(0) || !axes || op.rank(0) + added > kMaxRank) {
    set_unranked_view(op);
    return;
  }
  const auto fresh = marked_axes(op, *axes, op.rank(0) + added);
  if (!fresh) {
    set_unranked_view(op);
    return;
  }
  Dims dims;
  std::size_t next = 0;
  for (const bool is_new : *fresh) dims.push_back(is_new ? 1 : op.dims(0)[next++]);
  set_view(op, std::move(dims));
}

void infer_flatten(OpContext& op) {
  const std::int64_t axis = op.attribute("axis", 1);
  // Unlike elsewhere, the rank itself is an axis.
  const auto counted =
      axis == static_cast<std::int64_t>(op.rank(0)) ? axis : axis_of(axis, op.rank(0));
  if (!op.ranked(0) || !counted) {
    if (op.ranked(0)) op.complain_shape(0, fmt::format("a tensor with axis {}", axis));
    op.tensor(0, op.element(0), {kUnknown, kUnknown});
    op.alias(0, 0);
    return;
  }
  const std::span<const std::int64_t> dims = op.dims(0);
  const auto split = static_cast<std::size_t>(*counted);
  set_view(op, {product(dims.first(split)), product(dims.subspan(split))});
}

void infer_identity(OpContext& op) { op.view(0, 0); }

// In inference a dropout is its input. The mask came in opset 7 with the type of the data.
void infer_dropout(OpContext& op) {
  const bool given = op.opset() >= 12 && op.has(2);
  const bool training = given ? op.integer(2).value_or(1) != 0
                              : op.opset() < 7 && op.opset() > 0 && op.has_attribute("is_test") &&
                                    op.attribute("is_test", 0) == 0;
  if (training) {
    op.like(0, 0);
    op.work(2 * op.volume_of(0));
  } else {
    op.view(0, 0);
  }
  op.like(1, 0, op.opset() >= 10 ? ElementType::boolean : op.element(0));
}

void infer_shape(OpContext& op) {
  Value& value = op.tensor(0, ElementType::int64, {kUnknown});
  if (!op.ranked(0)) return;
  const auto rank = static_cast<std::int64_t>(op.rank(0));
  const auto clamp = [rank](std::int64_t axis) {
    return std::clamp<std::int64_t>(axis < 0 ? axis + rank : axis, 0, rank);
  };
  const std::int64_t first = clamp(op.attribute("start", 0));
  const std::int64_t last = clamp(op.attribute("end", rank));
  Dims numbers;
  for (std::int64_t axis = first; axis < last; ++axis) {
    const std::int64_t dim = op.dim(0, axis);
    numbers.push_back(dim < 0 ? kUnknownElement : dim);
  }
  value.dims = {static_cast<std::int64_t>(numbers.size())};
  fold_integers(value, std::move(numbers));
}

void infer_size(OpContext& op) {
  Value& value = op.tensor(0, ElementType::int64, {});
  if (const auto elements = op.in(0).elements()) fold_integers(value, {*elements});
}

constexpr Operator kOperators[] = {
    {kOnnx, "Dropout", infer_dropout},   {kOnnx, "Flatten", infer_flatten},
    {kOnnx, "Identity", infer_identity}, {kOnnx, "Reshape", infer_reshape},
    {kOnnx, "Shape", infer_shape},       {kOnnx, "Size", infer_size},
    {kOnnx, "Squeeze", infer_squeeze},   {kOnnx, "Unsqueeze", infer_unsqueeze},
};

}  // namespace

std::span<const Operator> view_operators() { return kOperators; }

}  // namespace berth::onnx
