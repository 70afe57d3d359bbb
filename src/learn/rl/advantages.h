// Rewards of a batch as advantages: what each plan, or each step of it, is worth beyond the
// baseline. Samples that do not count have the advantage 0, so that the batch keeps its shape and
// they add nothing to the gradient.
#pragma once

#include <vector>

#include "learn/rl/baseline.h"

namespace berth::learn {

struct Advantages {
  RewardRows rows;  // as the rewards; empty when no sample counts
  // Losses are means over the whole batch; times this they are means over the samples that count.
  double scale = 1;
};

// `counts` tells for every row of rewards whether it counts; `copies` rows after one another share
// a grouping. `normalize` divides the advantages by their root mean square, so that one learning
// rate suits rewards of any size.
Advantages advantages_of(Baseline& baseline, const RewardRows& rewards,
                         const std::vector<bool>& counts, std::size_t copies, bool normalize);

}  // namespace berth::learn
