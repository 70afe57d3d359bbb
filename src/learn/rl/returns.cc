#include "learn/rl/returns.h"

namespace berth::learn {

std::vector<double> returns_of_gains(std::span<const std::int64_t> from,
                                     std::span<const double> rewards, std::size_t steps) {
  std::vector<double> returns(steps);
  std::size_t placement = 0;
  for (std::size_t step = 0; step < steps; ++step) {
    // Paths hold only the placements that differ from the one before.
    while (placement + 1 < from.size() && from[placement + 1] <= static_cast<std::int64_t>(step)) {
      ++placement;
    }
    returns[step] = rewards.back() - rewards[placement];
  }
  return returns;
}

}  // namespace berth::learn
