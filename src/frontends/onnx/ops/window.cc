#include "frontends/onnx/ops/window.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace berth::onnx {
namespace {

Dims list_or(OpContext& op, std::string_view name, std::size_t length, std::int64_t fallback) {
  auto given = op.attribute_list(name);
  if (given && given->size() == length) return std::move(*given);
  if (given && !given->empty()) {
    op.complain(fmt::format("has {} of {} entries; expected {}", name, given->size(), length));
  }
  return Dims(length, fallback);
}

bool all_positive(const Dims& dims) {
  return std::all_of(dims.begin(), dims.end(), [](auto dim) { return dim > 0; });
}

}  // namespace

Window window_of(OpContext& op, Dims kernel, std::size_t axes) {
  Window window;
  window.kernel = std::move(kernel);
  window.kernel.resize(axes, kUnknown);
  for (std::int64_t& dim : window.kernel) dim = std::max(dim, kUnknown);
  window.strides = list_or(op, "strides", axes, 1);
  window.dilations = list_or(op, "dilations", axes, 1);
  if (!all_positive(window.strides) || !all_positive(window.dilations)) {
    op.complain("has strides or dilations below 1; expected positive numbers");
  }
  window.auto_pad = op.attribute_text("auto_pad", "NOTSET");
  window.ceil = op.attribute("ceil_mode", 0) != 0;
  const Dims pads = list_or(op, "pads", 2 * axes, 0);
  const bool ignored = window.pads_itself();
  const auto middle = pads.begin() + static_cast<std::ptrdiff_t>(axes);
  window.before = ignored ? Dims(axes, 0) : Dims(pads.begin(), middle);
  window.after = ignored ? Dims(axes, 0) : Dims(middle, pads.end());
  return window;
}

std::int64_t reach_of(const Window& window, std::size_t axis) {
  if (window.kernel[axis] <= 0 || window.dilations[axis] <= 0) return kUnknown;
  return add(multiply(window.kernel[axis] - 1, window.dilations[axis]), 1);
}

std::int64_t windows_along(OpContext& op, const Window& window, std::size_t axis,
                           std::int64_t input) {
  const std::int64_t stride = window.strides[axis];
  if (input < 0 || stride <= 0) return kUnknown;
  // SAME_UPPER and SAME_LOWER: padded so that only the stride shrinks the axis.
  if (window.pads_itself() && window.auto_pad != "VALID") return divide_up(input, stride);
  const std::int64_t reach = reach_of(window, axis);
  if (reach < 0) return kUnknown;
  std::int64_t padded = 0;
  if (__builtin_add_overflow(input, window.before[axis], &padded) ||
      __builtin_add_overflow(padded, window.after[axis], &padded)) {
    return kTooLarge;
  }
  if (padded < reach) {
    op.complain(fmt::format("slides a window of {} over {} elements; expected a smaller one", reach,
                            padded));
    return kUnknown;
  }
  const std::int64_t room = padded - reach;
  if (!window.ceil) return room / stride + 1;
  const std::int64_t steps = divide_up(room, stride);
  // A last window that would begin in the padding behind is left out.
  const std::int64_t last_start = multiply(steps, stride);
  const std::int64_t end = add(input, std::max<std::int64_t>(window.before[axis], 0));
  return last_start >= 0 && end >= 0 && last_start >= end ? std::max<std::int64_t>(steps, 1)
                                                          : add(steps, 1);
}

}  // namespace berth::onnx
