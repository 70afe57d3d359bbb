// Whether the sizes of a graph can be added up at all. Everything that reckons with bytes adds them
// in 63 bits and does not look; this is the one place that does, and it names the tensor that is
// too large, since a sum does not tell where to look.
#pragma once

#include <cstdint>
#include <string_view>

#include "graph/graph.h"

namespace berth {

// Throws InputError when all tensors, weights and workspaces, so many `times` over, take more bytes
// than fit 63 bits. `where` completes "the sizes of model X add up": " in training".
void check_total_bytes(const Graph& graph, std::int64_t times, std::string_view where);

}  // namespace berth
