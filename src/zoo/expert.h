// Plans as human experts make them, for the workloads to use.
#pragma once

#include <optional>

#include "cost/problem.h"
#include "plan/plan.h"

namespace berth {

// The way people split a network by hand: its layers, in the order of the graph, in contiguous
// blocks over the GPUs, as equal in number of layers as can be; everything on the one GPU when
// there is one. An op without a layer goes with the op before it. A colocation group goes with its
// first op, and where its device is not allowed, to the first that is. nullopt without a GPU, or
// when the result is not valid there.
std::optional<Plan> split_layers_over_gpus(const Problem& problem);

}  // namespace berth
