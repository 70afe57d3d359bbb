// Step times as rewards. A larger reward is better, so rewards are negative.
//
// A plan that does not fit, or that needs a route which does not exist, counts as a step of a large
// constant (Mirhoseini et al. 2017). An option adds to it in proportion to the bytes that do not
// fit, so that a policy can learn from plans of which none fits. It never counts as shorter than
// its simulated step, nor than plans that fit: where the start plan does not fit, its step may be
// far shorter than that of any plan that does, and so may be a constant in units of it.
#pragma once

#include "base/options.h"
#include "sim/outcome.h"

namespace berth::learn {

struct RewardSettings {
  enum class Shape { square_root, linear, logarithm };  // of the step time

  Shape shape = Shape::square_root;
  bool in_seconds = false;  // step times count in seconds, not in steps of the start plan
  double failing = 1;       // step time that a plan which does not fit is taken to have
  double overflow = 0;      // added to it per device memory of bytes too many

  static RewardSettings parse(const Options& options);
};

class Reward {
 public:
  // `unit_seconds`: the step time of the start plan. `device_bytes`: the mean memory of a device,
  // the unit of bytes that do not fit.
  Reward(const RewardSettings& settings, double unit_seconds, double device_bytes);

  // `slowest_fitting_seconds`: the longest step of plans that fit and are compared with it; 0 for
  // none.
  double of(const Outcome& outcome, double slowest_fitting_seconds = 0) const;

 private:
  double shaped(double time) const;

  RewardSettings settings_;
  double unit_seconds_;
  double device_bytes_;
};

}  // namespace berth::learn
