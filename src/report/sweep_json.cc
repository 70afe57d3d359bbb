// A sweep for scripts.
#include <algorithm>

#include "base/quantity.h"
#include "report/analysis.h"
#include "report/sweep.h"

namespace berth::report {
namespace {

void write_size(JsonWriter& json, const std::string& value) {
  const std::optional<double> number = sweep_number(value);
  if (!number) {
    json.value(value);
  } else if (*number == static_cast<double>(static_cast<std::int64_t>(*number))) {
    json.value(static_cast<std::int64_t>(*number));
  } else {
    json.value(*number);
  }
}

void write_strings(JsonWriter& json, const char* key, const std::vector<std::string>& texts) {
  json.key(key).begin_flat_array();
  for (const std::string& text : texts) json.value(text);
  json.end_array();
}

void write_point(JsonWriter& json, const Sweep& sweep, const SweepPoint& point) {
  json.begin_object().field("cluster", point.cluster).field("model", point.model);
  json.key("dims").begin_flat_object();
  for (std::size_t i = 0; i < sweep.dims.size(); ++i) {
    json.key(sweep.dims[i]);
    write_size(json, point.values[i]);
  }
  json.end_object().field("method", sweep.method).field("feasible", point.feasible);
  if (!point.has_plan()) {
    json.field("error", point.failure).end_object();
    return;
  }
  json.field("step_seconds", point.step_seconds).field("throughput", point.throughput());
  json.key("precision");
  point.precision.empty() ? json.null() : json.value(point.precision);
  write_step_size(json, point.size);
  write_throughput(json, point.size, point.step_seconds);
  json.field("lower_bound_seconds", point.bound_seconds).field("lower_bound", point.bound_name);
  json.key("gap");
  point.feasible ? json.value(gap_to(point.step_seconds, point.bound_seconds)) : json.null();
  json.field("fullest_device", point.fullest_device).field("peak_bytes", point.peak_bytes);
  json.key("usable_bytes");
  point.usable_bytes == kUnlimitedBytes ? json.null() : json.value(point.usable_bytes);
  json.field("missing_bytes", point.missing_bytes);
  if (!point.feasible) {
    json.field("proved", point.proved_missing_bytes > 0).field("proof", point.proof);
  }
  json.field("search_seconds", point.search_seconds).field("evaluations", point.evaluations);
  json.field("interrupted", point.interrupted).end_object();
}

void write_largest(JsonWriter& json, const Sweep& sweep, std::size_t main,
                   const SweepSeries& series) {
  const LargestFit largest = largest_fit(series);
  json.begin_object().field("series", series.name).field("cluster", series.cluster);
  json.field("dim", sweep.dims[main]).key("value");
  largest.fits ? write_size(json, largest.fits->values[main]) : void(json.null());
  json.key("next");
  if (largest.next) {
    const SweepPoint& next = *largest.next;
    json.begin_flat_object().key("value");
    write_size(json, next.values[main]);
    json.field("missing_bytes", next.missing_bytes);
    json.field("proved", next.proved_missing_bytes > 0).end_object();
  } else {
    json.null();
  }
  json.field("sentence", largest_fit_sentence(sweep, series)).end_object();
}

}  // namespace

void write_sweep(JsonWriter& json, const Sweep& sweep) {
  json.field("model", sweep.model);
  if (!sweep.mode.empty()) json.field("mode", sweep.mode);
  json.field("method", sweep.method).field("budget", sweep.budget);
  json.field("seed", sweep.seed).field("tasks", sweep.tasks);
  write_strings(json, "clusters", sweep.clusters);
  write_strings(json, "dims", sweep.dims);
  const bool known =
      std::ranges::any_of(sweep.points, [](const SweepPoint& point) { return point.size.known(); });
  json.key("batch_dim");
  known ? json.value(sweep.batch_dim) : json.null();
  json.field("throughput_unit", sweep.throughput_unit());
  json.key("points").begin_array();
  for (const SweepPoint& point : sweep.points) write_point(json, sweep, point);
  json.end_array().key("largest").begin_array();
  if (sweep.has_sizes()) {
    for (const SweepSeries& series : sweep_series(sweep)) {
      write_largest(json, sweep, *sweep.main_dim(), series);
    }
  }
  json.end_array().field("interrupted", sweep.interrupted);
}

}  // namespace berth::report
