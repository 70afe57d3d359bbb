// Operators that move elements without computing: no flops, but folded, since shapes are cut up and
// put together with them.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "frontends/onnx/ops/families.h"
#include "frontends/onnx/ops/fold.h"

namespace berth::onnx {
namespace {

void infer_transpose(OpContext& op) {
  const std::size_t rank = op.rank(0);
  if (!op.ranked(0)) {
    op.unranked(0, op.element(0));
    return;
  }
  Dims order;
  if (const auto given = op.attribute_list("perm")) {
    order = *given;
  } else {
    for (std::size_t axis = rank; axis-- > 0;) order.push_back(static_cast<std::int64_t>(axis));
  }
  std::vector<bool> seen(rank, false);
  bool valid = order.size() == rank;
  for (std::size_t place = 0; valid && place < rank; ++place) {
    const auto axis = axis_of(order[place], rank);
    valid = axis && !seen[static_cast<std::size_t>(*axis)];
    if (valid) seen[static_cast<std::size_t>(order[place] = *axis)] = true;
  }
  if (!valid) {
    op.complain_shape(0, "a tensor whose axes the attribute perm names once each");
    op.tensor(0, op.element(0), Dims(rank, kUnknown));
    return;
  }
  const Dims own = strides_of(op.dims(0));
  Dims dims, strides;
  for (const std::int64_t axis : order) {
    dims.push_back(op.dim(0, axis));
    strides.push_back(own[static_cast<std::size_t>(axis)]);
  }
  op.tensor(0, op.element(0), std::move(dims));
  fold_pick(op, 0, 0, strides);
}

// Blocks of all inputs in turn: one block per combination of the axes before the joined one.
void fold_concat(OpContext& op, std::size_t axis) {
  Value& value = op.out(0);
  if (!is_small(value) || (!is_integer(value.element) && !is_real(value.element))) return;
  struct Part {
    Contents contents;
    std::size_t block;
  };
  std::vector<Part> parts;
  for (std::size_t index = 0; index < op.input_count(); ++index) {
    const std::span<const std::int64_t> dims = op.dims(index);
    auto contents = contents_or_unknown(op.in(index));
    if (!contents || op.element(index) != value.element) return;
    const std::int64_t block = product(dims.subspan(axis));
    if (block > 0) parts.push_back({std::move(*contents), static_cast<std::size_t>(block)});
  }
  Contents joined;
  const std::int64_t blocks = product(std::span(value.dims).first(axis));
  for (std::int64_t block = 0; value.elements() != 0 && block < blocks; ++block) {
    for (const Part& part : parts) {
      const auto start = static_cast<std::ptrdiff_t>(static_cast<std::size_t>(block) * part.block);
      const auto end = start + static_cast<std::ptrdiff_t>(part.block);
      const auto append = [start, end](const auto& from, auto& to) {
        if (static_cast<std::ptrdiff_t>(from.size()) < end) return;
        to.insert(to.end(), from.begin() + start, from.begin() + end);
      };
      append(part.contents.integers, joined.integers);
      append(part.contents.reals, joined.reals);
    }
  }
  value.contents = std::move(joined);
}

void infer_concat(OpContext& op) {
  const std::int64_t wanted = op.attribute("axis", 1);  // without a default from opset 4 on
  Dims dims;
  std::optional<std::int64_t> axis;
  for (std::size_t index = 0; index < op.input_count(); ++index) {
    if (!op.ranked(index)) {
      op.unranked(0, op.element(0));
      return;
    }
    if (index == 0) {
      dims = op.dims(0);
      axis = axis_of(wanted, dims.size());
    }
    if (!axis || op.rank(index) != dims.size()) {
      op.complain_shape(index, fmt::format("tensors of one rank with axis {}", wanted));
      op.unranked(0, op.element(0));
      return;
    }
    if (index == 0) continue;
    for (std::size_t place = 0; place < dims.size(); ++place) {
      const std::int64_t dim = op.dims(index)[place];
      if (static_cast<std::int64_t>(place) == *axis) {
        dims[place] = add(dims[place], dim);
      } else if (differ(dims[place], dim)) {
        op.complain_shape(index, fmt::format("{} except for axis {}", text_of(op.dims(0)), *axis));
      } else {
        dims[place] = either(dims[place], dim);
      }
    }
  }
  if (!axis) {
    op.unranked(0, op.element(0));
    return;
  }
  op.tensor(0, op.element(0), std::move(dims));
  if (op.in(0).has_rank) fold_concat(op, static_cast<std::size_t>(*axis));
}

// The extents of the parts along an axis: as said, or of equal size with the rest in the last.
std::optional<Dims> split_extents(OpContext& op, std::int64_t extent, std::size_t parts) {
  const bool given = op.has(1) || op.has_attribute("split");
  auto listed = op.list(1, "split");
  if (given && !listed) return std::nullopt;
  if (listed && !listed->empty()) {
    if (listed->size() != parts) {
      op.complain(fmt::format("lists {} parts; expected {}", listed->size(), parts));
      return std::nullopt;
    }
    return listed;
  }
  if (extent < 0 || parts == 0) return std::nullopt;
  const auto count = static_cast<std::int64_t>(parts);
  const std::int64_t each = divide_up(extent, count);
  Dims extents(parts, each);
  for (std::int64_t part = 0; part < count; ++part) {
    const std::int64_t before = multiply(part, each);
    extents[static_cast<std::size_t>(part)] =
        before < 0 ? 0 : std::clamp<std::int64_t>(extent - std::min(before, extent), 0, each);
  }
  return extents;
}

void infer_split(OpContext& op) {
  const auto axis = axis_of(op.attribute("axis", 0), op.rank(0));
  for (std::size_t part = 0; part < op.output_count(); ++part) op.unranked(part, op.element(0));
  if (!op.ranked(0)) return;
  if (!axis) {
    op.complain_shape(0, fmt::format("a tensor with axis {}", op.attribute("axis", 0)));
    return;
  }
  const auto place = static_cast<std::size_t>(*axis);
  const auto extents = split_extents(op, op.dims(0)[place], op.output_count());
  const Dims strides = strides_of(op.dims(0));
  std::int64_t start = 0;
  for (std::size_t part = 0; part < op.output_count(); ++part) {
    Dims dims = op.dims(0);
    dims[place] = extents ? as_dim((*extents)[part]) : kUnknown;
    op.tensor(part, op.element(0), dims);
    if (start < 0) continue;
    if (multiply(start, strides[place]) >= 0) {
      fold_pick(op, part, 0, strides, start * strides[place]);
    }
    start = add(start, dims[place]);
  }
}

struct Cut {
  std::int64_t start = 0, length = kUnknown, step = 1;
};

// One axis of a slice by the rules of Python, with everything clamped to the tensor first.
Cut cut(std::int64_t extent, std::int64_t start, std::int64_t end, std::int64_t step) {
  Cut result{.start = 0, .length = kUnknown, .step = std::max<std::int64_t>(step, -INT64_MAX)};
  if (extent < 0 || step == 0) return result;
  const auto counted = [extent](std::int64_t place) { return place < 0 ? place + extent : place; };
  std::int64_t distance = 0;
  if (step > 0) {
    start = std::clamp<std::int64_t>(counted(start), 0, extent);
    end = std::clamp<std::int64_t>(counted(end), 0, extent);
    distance = end - start;
  } else {
    start = std::clamp<std::int64_t>(counted(start), 0, std::max<std::int64_t>(extent - 1, 0));
    end = std::clamp<std::int64_t>(counted(end), -1, extent - 1);
    distance = extent == 0 ? 0 : start - end;
  }
  const std::int64_t stride = result.step < 0 ? -result.step : result.step;
  result.start = start;
  result.length = distance > 0 ? 1 + (distance - 1) / stride : 0;
  return result;
}

// How many steps fit between two places; unknown when none are sure to.
std::int64_t length_between(std::int64_t start, std::int64_t end, std::int64_t step) {
  std::int64_t distance = 0;
  if (__builtin_sub_overflow(end, start, &distance)) return kUnknown;
  return divide_up(distance, step);
}

// One axis from a position only known at run time to one that is a known distance further, as in
// x[i:i+1]: the extent is that distance, unless the tensor ends before.
bool cut_between_offsets(OpContext& op) {
  const auto &start = op.in(1).offset, &end = op.in(2).offset;
  const bool names_axes = op.has(3) || op.has_attribute("axes");
  const auto axes = names_axes ? op.list(3, "axes") : std::optional(Dims{0});
  const auto step = op.has(4) ? op.integer(4) : std::optional<std::int64_t>(1);
  if (!start || !end || start->of != end->of || !axes || axes->size() != 1 || !step) return false;
  const auto axis = axis_of(axes->front(), op.rank(0));
  const std::int64_t length = length_between(start->by, end->by, *step);
  if (!axis || length < 0) return false;
  Dims dims = op.dims(0);
  std::int64_t& dim = dims[static_cast<std::size_t>(*axis)];
  dim = at_most(dim, length);
  op.tensor(0, op.element(0), std::move(dims));
  return true;
}

// Where start, end or step are only known at run time, the slice is at most the whole axis. That
// bound is what a memory planner needs.
void infer_slice(OpContext& op) {
  if (!op.ranked(0)) {
    op.unranked(0, op.element(0));
    return;
  }
  const auto starts = op.list(1, "starts");
  const auto ends = op.list(2, "ends");
  const bool names_axes = op.has(3) || op.has_attribute("axes");
  const auto axes = op.list(3, "axes");
  const bool known = starts && ends && starts->size() == ends->size() && (!names_axes || axes) &&
                     (!axes || axes->size() == starts->size());
  if (!known) {
    if (cut_between_offsets(op)) return;
    op.bound();
    op.tensor(0, op.element(0), op.dims(0));
    return;
  }
  const auto steps = op.integers(4);
  Dims dims = op.dims(0);
  Dims strides = strides_of(dims);
  std::int64_t offset = 0;
  bool exact = true;
  for (std::size_t entry = 0; entry < starts->size(); ++entry) {
    const auto axis = axis_of(axes ? (*axes)[entry] : static_cast<std::int64_t>(entry), op.rank(0));
    if (!axis) {
      op.complain_shape(0, "a tensor with all axes that are cut");
      exact = false;
      continue;
    }
    const auto place = static_cast<std::size_t>(*axis);
    const std::int64_t step = !op.has(4)                       ? 1
                              : steps && entry < steps->size() ? (*steps)[entry]
                                                               : kUnknownElement;
    const std::int64_t start = (*starts)[entry];
    const std::int64_t end = (*ends)[entry];
    if (!is_known(start) || !is_known(end) || !is_known(step)) {
      op.bound();
      exact = false;
      continue;
    }
    if (step == 0) op.complain("has a step of 0; expected any other number");
    const Cut result = cut(op.dims(0)[place], start, end, step);
    dims[place] = result.length;
    exact = exact && result.length >= 0;
    if (result.length > 0 && op.in(0).contents) offset += result.start * strides[place];
    strides[place] = result.length > 1 && op.in(0).contents ? strides[place] * result.step : 0;
  }
  op.tensor(0, op.element(0), std::move(dims));
  if (exact) fold_pick(op, 0, 0, strides, offset);
}

void infer_expand(OpContext& op) {
  const auto target = op.list(1, "shape");
  if (!op.ranked(0) || !target || target->size() > kMaxRank) {
    const std::int64_t rank = op.dim(1, 0);
    const bool ranked = op.ranked(0) && rank >= 0 && rank <= static_cast<std::int64_t>(kMaxRank);
    if (ranked) {
      const auto most = std::max(op.rank(0), static_cast<std::size_t>(rank));
      op.tensor(0, op.element(0), Dims(most, kUnknown));
    } else {
      op.unranked(0, op.element(0));
    }
    return;
  }
  Dims wanted;
  for (const std::int64_t dim : *target) wanted.push_back(as_dim(dim));
  auto dims = broadcast(op.dims(0), wanted);
  if (!dims) {
    op.complain_shape(0, fmt::format("a shape that broadcasts to {}", text_of(wanted)));
    op.unranked(0, op.element(0));
    return;
  }
  const Dims strides = broadcast_strides(op.dims(0), *dims);
  op.tensor(0, op.element(0), std::move(*dims));
  fold_pick(op, 0, 0, strides);
}

// A tile repeats each axis: seen as two axes, the outer one of stride 0.
void fold_tile(OpContext& op, const Dims& repeats) {
  if (!op.in(0).contents || !is_small(op.out(0))) return;
  const Dims own = strides_of(op.dims(0));
  Dims dims, strides;
  for (std::size_t axis = 0; axis < repeats.size(); ++axis) {
    dims.insert(dims.end(), {repeats[axis], op.dims(0)[axis]});
    strides.insert(strides.end(), {0, own[axis]});
  }
  op.out(0).contents = pick(*op.in(0).contents, walk(dims, strides));
}

void infer_tile(OpContext& op) {
  if (!op.ranked(0)) {
    op.unranked(0, op.element(0));
    return;
  }
  Dims repeats(op.rank(0), kUnknown);
  const bool by_axis = op.opset() < 6 && op.has(2);  // tiles and axis, one number each
  if (by_axis) {
    const auto axis = axis_of(op.integer(2).value_or(INT64_MAX), op.rank(0));
    if (axis) repeats.assign(op.rank(0), 1);
    if (axis) repeats[static_cast<std::size_t>(*axis)] = op.integer(1).value_or(kUnknown);
  } else if (const auto given = op.integers(1)) {
    if (given->size() == op.rank(0)) {
      repeats = *given;
    } else {
      op.complain_shape(0, fmt::format("a tensor of rank {}", given->size()));
    }
  }
  Dims dims = op.dims(0);
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    dims[axis] = multiply(dims[axis], as_dim(repeats[axis]));
  }
  op.tensor(0, op.element(0), std::move(dims));
  fold_tile(op, repeats);
}

// Blocks of pixels become channels, or channels blocks of pixels.
void infer_blocks(OpContext& op, bool to_channels) {
  const std::int64_t block = op.attribute("blocksize", 0);
  if (!op.ranked(0, 4)) {
    if (op.ranked(0)) op.complain_shape(0, "a tensor of rank 4");
    op.tensor(0, op.element(0), Dims(4, kUnknown));
    return;
  }
  const Dims& dims = op.dims(0);
  const std::int64_t area = multiply(block, block);
  op.tensor(0, op.element(0),
            to_channels ? Dims{dims[0], multiply(dims[1], area), divide(dims[2], block),
                               divide(dims[3], block)}
                        : Dims{dims[0], divide(dims[1], area), multiply(dims[2], block),
                               multiply(dims[3], block)});
}

void infer_depth_to_space(OpContext& op) { infer_blocks(op, false); }
void infer_space_to_depth(OpContext& op) { infer_blocks(op, true); }

void infer_same(OpContext& op) { op.like(0, 0); }

void infer_trilu(OpContext& op) {
  op.like(0, 0);
  const Dims& dims = op.dims(0);
  if (!op.in(0).contents || dims.size() < 2) return;
  if (op.in(0).elements() == 0) {
    fold_copy(op, 0, 0);
    return;
  }
  const auto shift = op.has(1) ? op.integer(1) : std::optional<std::int64_t>(0);
  if (!shift) return;
  const bool upper = op.attribute("upper", 1) != 0;
  const std::int64_t rows = dims[dims.size() - 2], columns = dims.back();
  const std::int64_t diagonal = std::clamp(*shift, -rows - 1, columns + 1);
  Contents contents = *op.in(0).contents;
  const auto keep = [&](auto& numbers) {
    for (std::size_t element = 0; element < numbers.size(); ++element) {
      const auto place = static_cast<std::int64_t>(element);
      const std::int64_t column = place % columns, row = place / columns % rows;
      const bool inside = upper ? column - row >= diagonal : column - row <= diagonal;
      if (!inside) numbers[element] = 0;
    }
  };
  keep(contents.integers);
  keep(contents.reals);
  op.out(0).contents = std::move(contents);
}

constexpr Operator kOperators[] = {
    {kOnnx, "Concat", infer_concat},       {kOnnx, "DepthToSpace", infer_depth_to_space},
    {kOnnx, "Expand", infer_expand},       {kOnnx, "ReverseSequence", infer_same},
    {kOnnx, "Slice", infer_slice},         {kOnnx, "SpaceToDepth", infer_space_to_depth},
    {kOnnx, "Split", infer_split},         {kOnnx, "Tile", infer_tile},
    {kOnnx, "Transpose", infer_transpose}, {kOnnx, "Trilu", infer_trilu},
    {kMicrosoft, "Trilu", infer_trilu},
};

}  // namespace

std::span<const Operator> movement_operators() { return kOperators; }

}  // namespace berth::onnx
