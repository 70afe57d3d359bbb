// Step times as rewards: larger is better, so always minus something.
//
// A plan that does not fit, or sends a tensor where no route leads, is priced as a step of a large
// constant (Mirhoseini et al. 2017), plus, if asked for, more the more bytes are too many; never
// less than what its step would have got.
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
  // `unit_seconds`: the step of the start plan. `device_bytes`: the mean memory of a device; what a
  // plan is over is measured in it.
  Reward(const RewardSettings& settings, double unit_seconds, double device_bytes);

  double of(const Outcome& outcome) const;
  double worst() const { return shaped(settings_.failing); }  // of a plan that just does not fit

 private:
  double shaped(double time) const;

  RewardSettings settings_;
  double unit_seconds_;
  double device_bytes_;
};

}  // namespace berth::learn
