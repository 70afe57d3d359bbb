// A window that slides over the spatial axes: kernels, strides, dilations and pads, as convolutions
// and poolings have them in common.
#pragma once

#include <cstddef>
#include <string_view>

#include "frontends/onnx/ops/op_context.h"

namespace berth::onnx {

// One entry per axis in all lists.
struct Window {
  Dims kernel, strides, dilations, before, after;
  std::string_view auto_pad;
  bool ceil = false;

  bool pads_itself() const { return auto_pad != "NOTSET" && !auto_pad.empty(); }
};

// From the attributes; those that are missing or of the wrong length have their defaults.
Window window_of(OpContext& op, Dims kernel, std::size_t axes);

// What a dilated kernel spans.
std::int64_t reach_of(const Window& window, std::size_t axis);

// How many positions the window has along an axis of this extent.
std::int64_t windows_along(OpContext& op, const Window& window, std::size_t axis,
                           std::int64_t input);

}  // namespace berth::onnx
