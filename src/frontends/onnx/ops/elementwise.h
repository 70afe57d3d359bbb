// What element-by-element operators have in common: the broadcast of their inputs and work in
// proportion to the output.
#pragma once

#include <cstddef>
#include <optional>

#include "frontends/onnx/ops/fold.h"

namespace berth::onnx {

// Work per element: plain arithmetic is one, series and divisions are a few.
constexpr double kPlain = 1;
constexpr double kTranscendental = 4;

// The shape to which the inputs from `first` on are broadcast. None when a rank is not known or,
// with a complaint, when they do not match.
std::optional<Dims> broadcast_inputs(OpContext& op, std::size_t first, std::size_t count);

// Output 0 has that shape, and work is counted for each of its elements.
void set_broadcast(OpContext& op, ElementType element, std::size_t first, std::size_t count,
                   double flops);

// Output 0 has the shape and type of input 0.
void set_unary(OpContext& op, double flops);

template <int Flops>
void same_shape(OpContext& op) {
  set_unary(op, Flops);
}

}  // namespace berth::onnx
