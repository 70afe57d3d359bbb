// The best placement of a linear graph: ops that run strictly one after the other.
//
// On a linear graph nothing overlaps, so the step time is the sum of the ops' costs and of the
// transfers where the device changes. This allows an exact dynamic program:
//
//   best(k, d) = cost(k, d) + min over e of (best(k - 1, e) + transfer(k - 1 -> k, e, d))
//
// with any number of returns to a device: O(ops x devices^2). Memory limits make it a packing
// problem: what a device already holds depends on the whole past. Then every state is a label
// (time, last device, bytes held by every device), and a label is dropped when another with the
// same last device is no slower and holds no more on any device. Devices that are equal in all
// respects are opened in order of index. This is exact, and exponential in the worst case. So the
// labels of a position are limited to the fastest (1024 for short linear graphs, 65 for 1000 ops,
// none beyond 8192, and fewer on more than fifty devices). As long as the limit is not reached, the
// result is optimal.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "place/sequence/linear_graph.h"

namespace berth::place {

struct LinearPlan {
  std::vector<DeviceId> placement;
  bool optimal = true;  // within the limits; false when labels had to be dropped
};

// Nothing when no placement within the limits was found, or `stop` said so first.
std::optional<LinearPlan> place_linear_graph(const Problem& problem, const LinearGraph& path,
                                             std::span<const std::int64_t> limits,
                                             const std::function<bool()>& stop);

}  // namespace berth::place
