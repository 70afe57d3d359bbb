// Convolutions of all kinds. Work is counted as it is done directly, window by window: a
// multiply-add for every element of the window and input channel of the group.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "frontends/onnx/ops/families.h"
#include "frontends/onnx/ops/window.h"

namespace berth::onnx {
namespace {

// Where the tensors of a convolution stand among its inputs.
struct Places {
  std::size_t data = 0;
  std::size_t weight = 1;
  std::size_t bias = 2;
};

std::int64_t group_of(const OpContext& op) { return op.attribute("group", 1); }

// The window of the weight, unless the node says otherwise.
Dims kernel_of(const OpContext& op, std::size_t weight, std::size_t axes) {
  const auto given = op.attribute_list("kernel_shape");
  if (given && given->size() == axes) return *given;
  Dims kernel(axes, kUnknown);
  if (!op.ranked(weight, axes + 2)) return kernel;
  for (std::size_t axis = 0; axis < axes; ++axis) kernel[axis] = op.dims(weight)[axis + 2];
  return kernel;
}

bool has_spatial_rank(OpContext& op, const Places& places) {
  const bool ranked = op.ranked(places.data);
  if (ranked && op.rank(places.data) >= 2) return true;
  if (ranked) op.complain_shape(places.data, "batch, channels and at least one more axis");
  return false;
}

void check_channels(OpContext& op, const Places& places) {
  const std::int64_t each = op.dim(places.weight, 1);
  const std::int64_t wanted = multiply(each, group_of(op));
  if (differ(op.dim(places.data, 1), wanted)) {
    op.complain_shape(places.data, fmt::format("{} channels (weight {} in {} groups)", wanted,
                                               text_of(op.dims(places.weight)), group_of(op)));
  }
}

void infer_convolution(OpContext& op, const Places& places, ElementType element) {
  if (!has_spatial_rank(op, places)) {
    op.unranked(0, element);
    return;
  }
  check_channels(op, places);
  const std::size_t axes = op.rank(places.data) - 2;
  const Window window = window_of(op, kernel_of(op, places.weight, axes), axes);
  Dims dims = {op.dim(places.data, 0), op.dim(places.weight, 0)};
  for (std::size_t axis = 0; axis < axes; ++axis) {
    dims.push_back(windows_along(op, window, axis, op.dims(places.data)[axis + 2]));
  }
  const double outputs = volume(dims);
  const std::int64_t each =
      either(op.dim(places.weight, 1), divide(op.dim(places.data, 1), group_of(op)));
  op.work(2 * outputs * extent(each) * volume(window.kernel));
  if (op.has(places.bias)) op.work(outputs);
  op.tensor(0, element, std::move(dims));
}

void infer_conv(OpContext& op) { infer_convolution(op, {}, op.element(0)); }

void infer_conv_integer(OpContext& op) {
  infer_convolution(op, {.data = 0, .weight = 1, .bias = SIZE_MAX}, ElementType::int32);
}

void infer_quantized_conv(OpContext& op) {
  infer_convolution(op, {.data = 0, .weight = 3, .bias = 8}, op.element(7));
  op.work(2 * volume(op.out(0).dims));  // back to eight bits
}

// Fused with an addition (input 3) and an activation.
void infer_fused_conv(OpContext& op) {
  infer_conv(op);
  op.work((op.has(3) ? 2 : 1) * volume(op.out(0).dims));
}

// Each element of the window is read at its own position, interpolated between four pixels.
void infer_deformable(OpContext& op) {
  infer_convolution(op, {.data = 0, .weight = 1, .bias = 3}, op.element(0));
  const double channels = extent(op.dim(0, 1));
  const double outputs = volume(op.out(0).dims);
  const double maps = std::max(1.0, extent(op.dim(1, 0)));
  const std::size_t axes = op.rank(0) > 2 ? op.rank(0) - 2 : 0;
  op.work(8 * outputs / maps * channels * volume(kernel_of(op, 1, axes)));
}

std::int64_t transposed_extent(const Window& window, std::size_t axis, std::int64_t input,
                               std::int64_t output_padding) {
  if (window.pads_itself() && window.auto_pad != "VALID") {
    return multiply(input, window.strides[axis]);
  }
  const std::int64_t reach = reach_of(window, axis);
  if (input == 0 || output_padding < 0) return kUnknown;
  const std::int64_t grown = add(add(multiply(input - 1, window.strides[axis]), reach),
                                 std::max<std::int64_t>(output_padding, 0));
  const std::int64_t pads = add(window.before[axis], window.after[axis]);
  return input < 0 ? kUnknown : subtract(grown, pads);
}

void infer_conv_transpose(OpContext& op) {
  if (!has_spatial_rank(op, {})) {
    op.unranked(0, op.element(0));
    return;
  }
  if (differ(op.dim(0, 1), op.dim(1, 0))) {
    op.complain_shape(0, fmt::format("{} channels", op.dim(1, 0)));
  }
  const std::size_t axes = op.rank(0) - 2;
  const Window window = window_of(op, kernel_of(op, 1, axes), axes);
  const Dims padding = op.attribute_list("output_padding").value_or(Dims{});
  const Dims given = op.attribute_list("output_shape").value_or(Dims{});
  Dims dims = {op.dim(0, 0), multiply(op.dim(1, 1), group_of(op))};
  for (std::size_t axis = 0; axis < axes; ++axis) {
    if (given.size() >= axes) {
      dims.push_back(std::max(given[given.size() - axes + axis], kUnknown));
    } else {
      dims.push_back(transposed_extent(window, axis, op.dims(0)[axis + 2],
                                       axis < padding.size() ? padding[axis] : 0));
    }
  }
  op.work(2 * op.volume_of(0) * extent(op.dim(1, 1)) * volume(window.kernel));
  if (op.has(2)) op.work(volume(dims));
  op.tensor(0, op.element(0), std::move(dims));
}

// Channels last, as integer kernels prefer: the spatial axes come before the channels.
void infer_channels_last(OpContext& op, const Places& places, ElementType element) {
  if (!has_spatial_rank(op, places)) {
    op.unranked(0, element);
    return;
  }
  const std::size_t axes = op.rank(places.data) - 2;
  const Window window = window_of(op, kernel_of(op, places.weight, axes), axes);
  Dims dims = {op.dim(places.data, 0)};
  for (std::size_t axis = 0; axis < axes; ++axis) {
    dims.push_back(windows_along(op, window, axis, op.dims(places.data)[axis + 1]));
  }
  dims.push_back(op.dim(places.weight, 0));
  op.work(2 * volume(dims) * extent(op.dim(places.weight, 1)) * volume(window.kernel));
  if (op.has(places.bias)) op.work(volume(dims));
  op.tensor(0, element, std::move(dims));
}

void infer_channels_last_conv(OpContext& op) { infer_channels_last(op, {}, op.element(0)); }

void infer_microsoft_quantized_conv(OpContext& op) {
  if (op.attribute("channels_last", 0) == 0) {
    infer_quantized_conv(op);
    return;
  }
  infer_channels_last(op, {.data = 0, .weight = 3, .bias = 8}, op.element(7));
  op.work(2 * volume(op.out(0).dims));
}

constexpr Operator kOperators[] = {
    {kOnnx, "Conv", infer_conv},
    {kOnnx, "ConvInteger", infer_conv_integer},
    {kOnnx, "ConvTranspose", infer_conv_transpose},
    {kOnnx, "DeformConv", infer_deformable},
    {kOnnx, "QLinearConv", infer_quantized_conv},
    {kMicrosoft, "FusedConv", infer_fused_conv},
    {kMicrosoft, "NhwcConv", infer_channels_last_conv},
    {kMicrosoft, "NhwcFusedConv", infer_channels_last_conv},
    {kMicrosoft, "QLinearConv", infer_microsoft_quantized_conv},
};

}  // namespace

std::span<const Operator> convolution_operators() { return kOperators; }

}  // namespace berth::onnx
