#include "learn/rl/reward.h"

#include <algorithm>
#include <cmath>

namespace berth::learn {

namespace {

RewardSettings::Shape parse_shape(const std::string& name) {
  if (name == "sqrt") return RewardSettings::Shape::square_root;
  if (name == "linear") return RewardSettings::Shape::linear;
  return RewardSettings::Shape::logarithm;
}

}  // namespace

RewardSettings RewardSettings::parse(const Options& options) {
  return {.shape = parse_shape(options.text("reward")),
          .in_seconds = options.text("scale") == "seconds",
          .failing = options.real("failing"),
          .overflow = options.real("overflow")};
}

Reward::Reward(const RewardSettings& settings, double unit_seconds, double device_bytes)
    : settings_(settings),
      unit_seconds_(settings.in_seconds || !(unit_seconds > 0) ? 1 : unit_seconds),
      device_bytes_(std::max(1.0, device_bytes)) {}

double Reward::shaped(double time) const {
  switch (settings_.shape) {
    case RewardSettings::Shape::square_root:
      return -std::sqrt(time);
    case RewardSettings::Shape::linear:
      return -time;
    case RewardSettings::Shape::logarithm:
      return -std::log(std::max(time, 1e-12));  // finite for a graph without work
  }
  return 0;
}

double Reward::of(const Outcome& outcome, double slowest_fitting_seconds) const {
  const double failing = std::max(settings_.failing, slowest_fitting_seconds / unit_seconds_);
  // Worse than any plan that has routes and is only a little too large.
  if (!outcome.routable) return shaped(2 * failing);
  const double time = outcome.step_seconds / unit_seconds_;
  if (outcome.feasible) return shaped(time);
  // Limited, so that one absurd plan does not outweigh the rest of its batch.
  const double over = std::min(1e3, static_cast<double>(outcome.over_bytes) / device_bytes_);
  return shaped(std::max(time, failing + settings_.overflow * over));
}

}  // namespace berth::learn
