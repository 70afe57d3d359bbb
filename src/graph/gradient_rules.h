// How the gradient of an op is made, by op type: what it needs from the forward pass, what it costs
// and of which ops it consists. One table for all sources of graphs; types are spelled as in ONNX,
// which the workloads use as well. A type that is not in the table gets the conservative rule: one
// gradient op that needs all inputs and outputs and costs twice the forward op.
#pragma once

#include <cstdint>
#include <string_view>

namespace berth {

struct GradientRule {
  enum class Kind : std::uint8_t {
    whole,    // one op for all inputs
    product,  // one op per operand, each with the forward op's flops, reading the other operand
    pass,     // the gradient itself, for inputs of the output's shape; a sum for broadcast ones
    view,     // the gradient in another shape, without a copy
    rows,     // of a table: only the rows that were read have a gradient
    none,     // no gradient: the output does not depend smoothly on anything
  };
  Kind kind = Kind::whole;
  bool reads_inputs = true;    // does the gradient need the forward inputs,
  bool reads_outputs = true;   // and the forward outputs?
  double flops = 2;            // of the gradient op, as a multiple of the forward op's
  std::uint8_t inputs = 255;   // only this many of the first inputs have a gradient
  std::string_view type = {};  // of the gradient op; by default the forward type + "Grad"
};

GradientRule gradient_rule(std::string_view op_type);

}  // namespace berth
