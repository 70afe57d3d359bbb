// Checks that the sum of all sizes of a graph fits in 63 bits. All other code adds up bytes without
// checking. The check is made here once, and its error names the largest tensor, because a sum
// alone does not tell where to look.
#pragma once

#include <cstdint>
#include <string_view>

#include "graph/graph.h"

namespace berth {

// Throws InputError when all tensors, weights and workspaces, multiplied by `times`, take more
// bytes than fit in 63 bits. `where` completes "the sizes of model X add up": " in training".
void check_total_bytes(const Graph& graph, std::int64_t times, std::string_view where);

}  // namespace berth
