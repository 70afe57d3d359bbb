// A mean with its 95% confidence interval, by Student's t distribution: with five seeds the
// interval is 1.4 times as wide as the normal distribution would make it.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace berth::experiments {

struct Interval {
  double mean = 0;
  double low = 0;  // infinite on both sides for fewer than two values
  double high = 0;
  std::size_t count = 0;

  bool below(double value) const { return count > 0 && high < value; }
  bool above(double value) const { return count > 0 && low > value; }
};

// Empty values give an interval of count 0.
Interval interval_of(std::span<const double> values);

// Of ratios: the interval of their logarithms, so that a half and a double balance.
Interval geometric_interval_of(std::span<const double> ratios);

// "-5.1% [-7.0, -3.2]": how far a ratio is from 1.
std::string format_change(const Interval& ratio);

}  // namespace berth::experiments
