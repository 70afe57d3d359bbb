// Returns of the steps of an episode in which each step is rewarded by how much it improves the
// placement (Placeto). Gains add up, so a return is the difference of two rewards, and steps that
// change nothing need no simulation.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace berth::learn {

// Placement k of the path holds before step from[k] and until step from[k + 1]; rewards[k] is its
// reward as a plan. from[0] is 0, and the last placement is the plan. The gains of steps t and
// later add up to the reward of the plan minus that of the placement before step t.
std::vector<double> returns_of_gains(std::span<const std::int64_t> from,
                                     std::span<const double> rewards, std::size_t steps);

}  // namespace berth::learn
