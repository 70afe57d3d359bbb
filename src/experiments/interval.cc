#include "experiments/interval.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace berth::experiments {
namespace {

// The 97.5% quantile of Student's t distribution by degrees of freedom, from 1 on.
constexpr std::array<double, 30> kQuantiles = {
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
    2.080,  2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};
constexpr double kNormalQuantile = 1.960;

double quantile(std::size_t freedom) {
  return freedom <= kQuantiles.size() ? kQuantiles[freedom - 1] : kNormalQuantile;
}

}  // namespace

Interval interval_of(std::span<const double> values) {
  Interval interval;
  interval.count = values.size();
  if (values.empty()) return interval;
  const auto count = static_cast<double>(values.size());
  for (const double value : values) interval.mean += value / count;
  double half = std::numeric_limits<double>::infinity();
  if (values.size() > 1) {
    double squares = 0;
    for (const double value : values) squares += std::pow(value - interval.mean, 2);
    half = quantile(values.size() - 1) * std::sqrt(squares / (count - 1) / count);
  }
  interval.low = interval.mean - half;
  interval.high = interval.mean + half;
  return interval;
}

Interval geometric_interval_of(std::span<const double> ratios) {
  std::vector<double> logs;
  for (const double ratio : ratios) logs.push_back(std::log(ratio));
  Interval interval = interval_of(logs);
  if (interval.count == 0) return interval;
  for (double* end : {&interval.mean, &interval.low, &interval.high}) *end = std::exp(*end);
  return interval;
}

std::string format_change(const Interval& ratio) {
  if (ratio.count == 0) return "-";
  const auto percent = [](double value) { return 100 * (value - 1); };
  if (ratio.count == 1) return fmt::format("{:+.1f}%", percent(ratio.mean));
  return fmt::format("{:+.1f}% [{:+.1f}, {:+.1f}]", percent(ratio.mean), percent(ratio.low),
                     percent(ratio.high));
}

}  // namespace berth::experiments
