// Operators that add a border or take one away.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "frontends/onnx/ops/families.h"
#include "frontends/onnx/ops/fold.h"

namespace berth::onnx {
namespace {

constexpr std::int64_t kFar = std::int64_t{1} << 60;

std::int64_t padded(std::int64_t dim, std::int64_t before, std::int64_t after) {
  std::int64_t sum = 0;
  if (dim < 0 || before == kUnknownElement || after == kUnknownElement) return kUnknown;
  if (before == kTooLarge || after == kTooLarge || __builtin_add_overflow(before, after, &sum) ||
      __builtin_add_overflow(sum, dim, &sum)) {
    return kTooLarge;
  }
  return std::max(sum, kUnknown);
}

// Only the constant border is folded; shapes are never mirrored.
void fold_pad(OpContext& op, const Dims& before) {
  const Value& source = op.in(0);
  Value& value = op.out(0);
  if (!source.contents || !is_small(value)) return;
  if (op.attribute_text("mode", "constant") != "constant") return;
  if (value.elements() == 0) {  // and other axes may be of any extent
    value.contents = Contents{};
    return;
  }
  const double fill =
      op.has(2) ? op.real(2).value_or(real_of(kUnknownElement)) : op.attribute_real("value", 0);
  // The index in the source, or -1 in the border, built up axis by axis.
  std::vector<std::int64_t> indices{0};
  for (std::size_t axis = 0; axis < value.dims.size(); ++axis) {
    std::vector<std::int64_t> next;
    for (const std::int64_t index : indices) {
      for (std::int64_t place = 0; place < value.dims[axis]; ++place) {
        const std::int64_t from = place - before[axis];
        const bool inside = index >= 0 && from >= 0 && from < source.dims[axis];
        next.push_back(inside ? index * source.dims[axis] + from : -1);
      }
    }
    indices = std::move(next);
    if (static_cast<std::int64_t>(indices.size()) > kMaxContents) return;
  }
  Contents contents = pick(*source.contents, indices);
  for (std::size_t element = 0; element < indices.size(); ++element) {
    if (indices[element] >= 0) continue;
    if (element < contents.integers.size()) contents.integers[element] = integer_of(fill);
    if (element < contents.reals.size()) contents.reals[element] = fill;
  }
  value.contents = std::move(contents);
}

void infer_pad(OpContext& op) {
  if (!op.ranked(0)) {
    op.unranked(0, op.element(0));
    return;
  }
  const std::size_t rank = op.rank(0);
  auto pads = op.list(1, op.has_attribute("paddings") ? "paddings" : "pads");
  Dims axes;
  if (op.has(3)) {
    const auto listed = op.integers(3);
    if (!listed) pads.reset();
    if (listed) axes = *listed;
  } else {
    for (std::size_t axis = 0; axis < rank; ++axis) axes.push_back(static_cast<std::int64_t>(axis));
  }
  if (!pads) {
    op.tensor(0, op.element(0), Dims(rank, kUnknown));
    return;
  }
  Dims dims = op.dims(0);
  Dims before(rank, 0);
  if (pads->size() != 2 * axes.size()) {
    op.complain(fmt::format("has {} pads; expected {}", pads->size(), 2 * axes.size()));
    op.tensor(0, op.element(0), Dims(rank, kUnknown));
    return;
  }
  for (std::size_t entry = 0; entry < axes.size(); ++entry) {
    const auto axis = axis_of(axes[entry], rank);
    if (!axis) {
      op.complain_shape(0, "a tensor with all axes that are padded");
      continue;
    }
    const auto place = static_cast<std::size_t>(*axis);
    const std::int64_t after = (*pads)[entry + axes.size()];
    dims[place] = padded(dims[place], (*pads)[entry], after);
    // Clamped far outside, where the result is the same and nothing overflows.
    before[place] = std::clamp((*pads)[entry], -kFar, kFar);
  }
  op.tensor(0, op.element(0), std::move(dims));
  fold_pad(op, before);
}

void infer_center_crop_pad(OpContext& op) {
  if (!op.ranked(0)) {
    op.unranked(0, op.element(0));
    return;
  }
  Dims dims = op.dims(0);
  const auto axes = op.attribute_list("axes");
  const auto shape = op.integers(1);
  for (std::size_t entry = 0; entry < (axes ? axes->size() : dims.size()); ++entry) {
    const auto axis =
        axis_of(axes ? (*axes)[entry] : static_cast<std::int64_t>(entry), dims.size());
    if (!axis) {
      op.complain_shape(0, "a tensor with all axes that are cropped or padded");
      continue;
    }
    const bool known = shape && entry < shape->size();
    dims[static_cast<std::size_t>(*axis)] = known ? as_dim((*shape)[entry]) : kUnknown;
  }
  op.tensor(0, op.element(0), std::move(dims));
}

// Opset 1: a border cut off the two last axes.
void infer_crop(OpContext& op) {
  if (!op.ranked(0, 4)) {
    op.tensor(0, op.element(0), Dims(4, kUnknown));
    return;
  }
  Dims dims = op.dims(0);
  const Dims border = op.attribute_list("border").value_or(Dims(4, kUnknown));
  const Dims scale = op.attribute_list("scale").value_or(Dims{});
  for (std::size_t axis = 2; axis < 4; ++axis) {
    if (scale.size() == 2) {
      dims[axis] = std::max(scale[axis - 2], kUnknown);
    } else if (border.size() == 4) {
      const std::int64_t first = axis == 2 ? border[1] : border[0];
      const std::int64_t last = axis == 2 ? border[3] : border[2];
      dims[axis] = subtract(dims[axis], add(first, last));
    } else {
      dims[axis] = kUnknown;
    }
  }
  op.tensor(0, op.element(0), std::move(dims));
}

constexpr Operator kOperators[] = {
    {kOnnx, "CenterCropPad", infer_center_crop_pad},
    {kOnnx, "Crop", infer_crop},
    {kOnnx, "Pad", infer_pad},
    {kMicrosoft, "Pad", infer_pad},
};

}  // namespace

std::span<const Operator> padding_operators() { return kOperators; }

}  // namespace berth::onnx
