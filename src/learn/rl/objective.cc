#include "learn/rl/objective.h"

namespace berth::learn {

Tensor reinforce_loss(const Tensor& log_probs, const Tensor& advantages) {
  // The sum over decisions, not their mean: the probability of a plan is the product over its
  // decisions.
  return -(log_probs * advantages).sum(1).mean();
}

Tensor ppo_loss(const Tensor& log_probs, const Tensor& old_log_probs, const Tensor& advantages,
                double clip) {
  // By decision and not by plan: the ratio of a whole plan, a product of hundreds, would leave the
  // clipping range at once.
  const Tensor ratios = (log_probs - old_log_probs).exp();
  const Tensor clipped = ratios.clamp(1 - clip, 1 + clip);
  // The minimum keeps the gradient where a step back towards the old policy would be an
  // improvement.
  return -at::minimum(ratios * advantages, clipped * advantages).sum(1).mean();
}

}  // namespace berth::learn
