#include "report/sweep.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/decimal.h"
#include "base/quantity.h"

namespace berth::report {

std::optional<double> sweep_number(const std::string& value) {
  const Decimal decimal = parse_decimal(value);
  if (decimal.length == 0 || decimal.length != value.size()) return std::nullopt;
  return decimal.value;
}

std::string Sweep::title() const {
  return mode.empty() ? model : fmt::format("{} ({})", model, mode);
}

const char* Sweep::throughput_unit() const {
  const bool known = std::ranges::all_of(
      points, [](const SweepPoint& point) { return !point.has_plan() || point.size.known(); });
  return known ? "samples/s" : "steps/s";
}

bool Sweep::has_tokens() const {
  return std::ranges::all_of(
      points, [](const SweepPoint& point) { return !point.has_plan() || point.size.has_tokens(); });
}

std::optional<std::size_t> Sweep::main_dim() const {
  const auto batch = std::find(dims.begin(), dims.end(), batch_dim);
  if (batch != dims.end()) return static_cast<std::size_t>(batch - dims.begin());
  return dims.empty() ? std::nullopt : std::optional<std::size_t>(0);
}

bool Sweep::has_sizes() const {
  const std::optional<std::size_t> main = main_dim();
  return main && std::ranges::all_of(points, [&](const SweepPoint& point) {
           return sweep_number(point.values[*main]).has_value();
         });
}

std::vector<SweepSeries> sweep_series(const Sweep& sweep) {
  const std::optional<std::size_t> main = sweep.main_dim();
  std::vector<SweepSeries> all;
  for (const SweepPoint& point : sweep.points) {
    std::string name = point.cluster;
    for (std::size_t i = 0; i < sweep.dims.size(); ++i) {
      if (i != main) name += fmt::format(" {}={}", sweep.dims[i], point.values[i]);
    }
    auto found = std::ranges::find(all, name, &SweepSeries::name);
    if (found == all.end()) {
      all.push_back({.name = name, .cluster = point.cluster, .points = {}});
      found = all.end() - 1;
    }
    found->points.push_back(&point);
  }
  if (!sweep.has_sizes()) return all;  // in the order given
  for (SweepSeries& series : all) {
    std::stable_sort(series.points.begin(), series.points.end(),
                     [&](const SweepPoint* left, const SweepPoint* right) {
                       return *sweep_number(left->values[*main]) <
                              *sweep_number(right->values[*main]);
                     });
  }
  return all;
}

LargestFit largest_fit(const SweepSeries& series) {
  LargestFit found;
  for (const SweepPoint* point : series.points) {
    if (point->feasible) {
      found = {point, nullptr};
    } else if (!found.next) {
      found.next = point;
    }
  }
  return found;
}

std::string largest_fit_sentence(const Sweep& sweep, const SweepSeries& series) {
  if (!sweep.has_sizes()) return "";
  const std::optional<std::size_t> main = sweep.main_dim();
  const LargestFit largest = largest_fit(series);
  const std::string& dim = sweep.dims[*main];
  std::string text = largest.fits ? fmt::format("largest {} that fits: {}", plain_name(dim, 20),
                                                plain_name(largest.fits->values[*main], 20))
                                  : fmt::format("no {} that was tried fits", plain_name(dim, 20));
  if (!largest.next) return text + ", the largest tried";
  const SweepPoint& next = *largest.next;
  const std::string at = plain_name(next.values[*main], 20);
  if (!next.has_plan()) return text + fmt::format("; {} could not be tried", at);
  if (next.proved_missing_bytes > 0) {
    return text + fmt::format("; at {} no plan can fit: at least {} more memory is needed", at,
                              format_bytes(next.proved_missing_bytes));
  }
  return text + fmt::format("; at {} no plan that fits was found: {} lacks {}", at,
                            plain_name(next.fullest_device, 24),
                            format_bytes(next.peak_bytes - next.usable_bytes));
}

}  // namespace berth::report
