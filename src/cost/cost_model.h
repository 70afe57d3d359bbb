// The cost of an op on a device when no measured time is given: a roofline with efficiencies.
//
//   seconds = launch + max(flops / (device flops x compute efficiency),
//                          traffic / (device bandwidth x bandwidth efficiency))
//
// traffic is the bytes of inputs + outputs + weights read (the op's param_bytes; of a table only
// the rows that are looked up). The efficiencies come from one table by op class and device model
// (else kind); see cost_model.cc. Inputs, constants, views and reshapes cost nothing. The device's
// rate is that of the dtype of the op's first output. f32 products run in TF32 where the device has
// a rate for it, unless the graph's precision says otherwise (rate_dtype). It knows neither caches
// nor shapes that fit a tensor core badly; where that matters, give measured `seconds`.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "cluster/cluster.h"
#include "graph/graph.h"

namespace berth {

enum class OpClass : std::uint8_t {
  free,         // inputs, constants, variables, views: cost nothing
  convolution,  // heavy
  matmul,       // heavy
  recurrent,    // heavy: a whole recurrent cell or layer
  elementwise,
  normalization,
  reduction,
  softmax,
  pooling,
  embedding,  // gathers and scatters
  movement,   // transposes, concatenations, paddings: bytes only
  other
};

OpClass classify(std::string_view op_type);
bool is_heavy(OpClass op_class);
std::string_view op_class_name(OpClass op_class);

struct Efficiency {
  double compute;
  double bandwidth;
};
Efficiency efficiency(OpClass op_class, const Device& device);
// The model or kind whose row of the table the device uses: "A100", "gpu"; "any" when there is none
// for either.
std::string_view efficiency_row(const Device& device);

// Bytes that an op moves: distinct inputs, outputs and its own weights. A look-up reads only as
// much of its table (input 0) as it puts out; a scatter touches only the rows it is given.
double traffic_bytes(const Graph& graph, OpId op, OpClass op_class);
// The dtype whose rate on the device the op gets. Products of f32: that of the graph's precision;
// where none was chosen TF32 if the device has it, as in cuDNN and ONNX Runtime. Products without a
// dtype: that of the graph's precision, if there is one. Everything else: its own.
DType rate_dtype(const Graph& graph, OpId op, OpClass op_class, const Device& device);
// flops / (peak x efficiency) of one op; throws InputError when the op has flops but the device no
// rate, naming both.
double compute_seconds(const Graph& graph, OpId op, OpClass op_class, const Device& device);
// The formula above.
double modelled_seconds(const Graph& graph, OpId op, OpClass op_class, const Device& device);

}  // namespace berth
