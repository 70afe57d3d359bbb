// Plans as human experts make them, for the workloads. They follow the layer labels: an op goes
// where its layer goes, and an op without a layer with the op before it. A colocation group goes
// with its first op, and where that device is not allowed, to the first that is. All return nullopt
// without a GPU, or when the result would not be valid.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "cost/problem.h"
#include "plan/plan.h"

namespace berth::zoo {

// Everything on the first GPU, as people run networks of convolutions.
std::optional<Plan> one_gpu(const Problem& problem);

// The usual way to split a network by hand: its layers, in the order of the graph, in contiguous
// blocks over the GPUs, with numbers of layers as equal as possible.
std::optional<Plan> split_layers_over_gpus(const Problem& problem);

// Stacked recurrent layers, one per GPU, cyclically: a label ending in a number goes to the GPU of
// that number, `embedding` to the first, anything else (attention, softmax) to the GPU of the
// highest number.
std::optional<Plan> one_gpu_a_recurrent_layer(const Problem& problem);

// The general form: which of the GPUs a layer goes to, by its label and its number.
using GpuOfLayer = std::function<std::size_t(std::string_view label, std::size_t layer)>;
std::optional<Plan> place_layers(const Problem& problem, const GpuOfLayer& gpu_of_layer);

}  // namespace berth::zoo
