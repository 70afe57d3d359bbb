// What every step of an episode is worth when each is rewarded with what it gains (Placeto).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace berth::learn {

// A placement on the way was there before step from[k] and until step from[k + 1]; rewards[k] is
// what it would have got as a plan. from[0] is 0 and the last placement is the plan. The gains of
// steps t and later add up to the plan's reward less that of the placement before step t.
std::vector<double> returns_of_gains(std::span<const std::int64_t> from,
                                     std::span<const double> rewards, std::size_t steps);

}  // namespace berth::learn
