#include "learn/rl/advantages.h"

#include <algorithm>
#include <cmath>

namespace berth::learn {
namespace {

// Below this all advantages are equal but for rounding, and to scale them up would be to learn from
// the rounding.
constexpr double kLeastDeviation = 1e-12;

void divide_by_deviation(RewardRows& advantages) {
  double squares = 0;
  double count = 0;
  for (const auto& row : advantages) {
    for (const double value : row) {
      squares += value * value;
      count += 1;
    }
  }
  const double deviation = std::sqrt(squares / std::max(1.0, count));
  if (deviation < kLeastDeviation) return;
  for (auto& row : advantages) {
    for (double& value : row) value /= deviation;
  }
}

}  // namespace

Advantages advantages_of(Baseline& baseline, const RewardRows& rewards,
                         const std::vector<bool>& counts, std::size_t copies, bool normalize) {
  std::vector<std::size_t> counted;
  RewardRows counted_rewards;
  std::vector<std::size_t> groupings;
  for (std::size_t i = 0; i < rewards.size(); ++i) {
    if (!counts[i]) continue;
    counted.push_back(i);
    counted_rewards.push_back(rewards[i]);
    groupings.push_back(i / copies);
  }
  if (counted.empty()) return {};
  // The baseline sees only what counts: otherwise it would follow plans that no gradient pushes
  // away any more.
  RewardRows counted_advantages = baseline.advantages(counted_rewards, groupings);
  if (normalize) divide_by_deviation(counted_advantages);
  Advantages all;
  all.rows.assign(rewards.size(), std::vector<double>(rewards.front().size(), 0.0));
  for (std::size_t i = 0; i < counted.size(); ++i) all.rows[counted[i]] = counted_advantages[i];
  all.scale = static_cast<double>(rewards.size()) / static_cast<double>(counted.size());
  return all;
}

}  // namespace berth::learn
