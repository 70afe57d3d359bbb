// Step times as rewards: larger is better, so always minus something.
//
// A plan that does not fit, or sends a tensor where no route leads, is priced as a step of a large
// constant (Mirhoseini et al. 2017), plus, if asked for, more the more bytes are too many; never
// less than what its step would have got.
#pragma once

#include "base/options.h"
#include "sim/outcome.h"

namespace berth::learn {

class Reward {
 public:
  // `unit_seconds`: the step of the start plan. `device_bytes`: the mean memory of a device; what a
  // plan is over is measured in it.
  Reward(const Options& settings, double unit_seconds, double device_bytes);

  double of(const Outcome& outcome) const;
  double worst() const { return shaped(failing_); }  // of a plan that just does not fit

 private:
  enum class Shape { square_root, linear, logarithm };
  double shaped(double time) const;

  Shape shape_;
  double unit_seconds_;
  double device_bytes_;
  double failing_;
  double overflow_;
};

}  // namespace berth::learn
