// The precision a model runs in, as the user chooses it: f32, tf32, f16, bf16, i8.
//
// It determines two things. First, what products (matrix products, convolutions, recurrent cells)
// are computed in, which selects their rate on a device (cost/cost_model.h). Second, the width of
// weights and activations: 4 bytes per element for f32 and tf32, 2 for f16 and bf16, 1 for i8.
// Tensors of f32, tf32, f16 and bf16 change; f64, integers, booleans and quantized tensors do not.
// Where no precision was chosen, tensors stay as they are, and f32 products run in TF32 on devices
// that have it.
//
// A tensor without a dtype keeps its bytes, since its number of elements is not known. Weights
// inside an op (`param_bytes` without a resident output) and its workspace change as its first
// output does. Optimizer state in a graph that is already a training graph stays as it is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "graph/graph.h"

namespace berth {

std::vector<std::string> precision_names();    // "f32", "tf32", ...
DType parse_precision(std::string_view name);  // throws InputError with the valid names

// The graph in that precision; throws InputError when its sizes no longer fit 63 bits.
Graph in_precision(Graph graph, DType precision);

// Tensors that have bytes but no dtype.
std::size_t count_untyped(const Graph& graph);

}  // namespace berth
