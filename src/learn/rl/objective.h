// What training minimizes: estimators of the policy gradient.
//
// REINFORCE (Williams 1992): minus the mean over plans of sum_t advantage x log pi(a_t). If the
// baseline does not depend on the plan itself, the expectation of its gradient is minus the
// gradient of the expected reward.
//
// PPO (Schulman et al. 2017), clipped: per decision, the ratio of its probability now to its
// probability when it was drawn, times the advantage, with no gain beyond 1 +- clip. At ratio 1 its
// gradient is that of REINFORCE.
#pragma once

#include "learn/torch.h"

namespace berth::learn {

// log_probs: [plans, decisions]; advantages: [plans, 1], or [plans, decisions] for rewards per
// step.
Tensor reinforce_loss(const Tensor& log_probs, const Tensor& advantages);

Tensor ppo_loss(const Tensor& log_probs, const Tensor& old_log_probs, const Tensor& advantages,
                double clip);

}  // namespace berth::learn
