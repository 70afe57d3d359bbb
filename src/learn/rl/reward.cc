#include "learn/rl/reward.h"

#include <algorithm>
#include <cmath>

namespace berth::learn {

Reward::Reward(const Options& settings, double unit_seconds, double device_bytes)
    : shape_(settings.text("reward") == "sqrt"     ? Shape::square_root
             : settings.text("reward") == "linear" ? Shape::linear
                                                   : Shape::logarithm),
      unit_seconds_(settings.text("scale") == "seconds" || !(unit_seconds > 0) ? 1 : unit_seconds),
      device_bytes_(std::max(1.0, device_bytes)),
      failing_(settings.real("failing")),
      overflow_(settings.real("overflow")) {}

double Reward::shaped(double time) const {
  switch (shape_) {
    case Shape::square_root:
      return -std::sqrt(time);
    case Shape::linear:
      return -time;
    case Shape::logarithm:
      return -std::log(std::max(time, 1e-12));
  }
  return 0;
}

double Reward::of(const Outcome& outcome) const {
  if (!outcome.routable) return shaped(2 * failing_);
  const double time = outcome.step_seconds / unit_seconds_;
  if (outcome.feasible) return shaped(time);
  const double over = std::min(1e3, static_cast<double>(outcome.over_bytes) / device_bytes_);
  return shaped(std::max(time, failing_ + overflow_ * over));
}

}  // namespace berth::learn
