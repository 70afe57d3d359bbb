#include "learn/rl/objective.h"

namespace berth::learn {

Tensor reinforce_loss(const Tensor& log_probs, const Tensor& advantages) {
  return -(log_probs * advantages).sum(1).mean();
}

Tensor ppo_loss(const Tensor& log_probs, const Tensor& old_log_probs, const Tensor& advantages,
                double clip) {
  const Tensor ratios = (log_probs - old_log_probs).exp();
  const Tensor followed = ratios.clamp(1 - clip, 1 + clip);
  return -at::minimum(ratios * advantages, followed * advantages).sum(1).mean();
}

}  // namespace berth::learn
