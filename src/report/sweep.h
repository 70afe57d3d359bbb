// One model on several clusters and at several sizes, one point per combination. The table, the
// page and the JSON read from here, so they cannot disagree.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json_writer.h"
#include "report/html/html_origin.h"
#include "report/text.h"
#include "report/throughput.h"

namespace berth::report {

// What came out at one combination.
struct SweepPoint {
  std::string cluster;              // as the user named it
  std::vector<std::string> values;  // one per dimension of the sweep
  std::string model;                // as a user would name it to get this point alone
  std::string failure = {};         // why there is no plan; empty when there is one

  double step_seconds = 0;
  std::string precision = {};  // that products run in; empty when there are none
  bool feasible = false;
  std::int64_t missing_bytes = 0;  // over all devices
  std::string fullest_device = {};
  std::int64_t peak_bytes = 0;  // of the fullest device
  std::int64_t usable_bytes = 0;
  std::int64_t proved_missing_bytes = 0;  // more than 0: no plan can fit
  std::string proof = {};
  double bound_seconds = 0;
  std::string bound_name = {};
  StepSize size = {};  // what a step does, where that is known

  double search_seconds = 0;
  double evaluations = 0;
  bool interrupted = false;

  bool has_plan() const { return failure.empty(); }
  // Samples per second, or steps per second where the samples of a step are not known.
  double throughput() const {
    return step_seconds > 0 ? (size.known() ? size.samples : 1) / step_seconds : 0;
  }
  double tokens_throughput() const { return step_seconds > 0 ? size.tokens() / step_seconds : 0; }
};

struct Sweep {
  std::string model;
  std::string mode;  // "training" or "inference"; empty where the file knows
  std::string method;
  std::string budget;  // of each point
  std::uint64_t seed = 0;
  std::string tasks;
  std::vector<std::string> clusters;
  std::vector<std::string> dims;    // names
  std::string batch_dim = "batch";  // that of them, or of the model, which counts samples
  std::vector<SweepPoint> points;   // by cluster, then by values, as they are shown
  bool interrupted = false;

  std::string title() const;            // the model with its mode
  const char* throughput_unit() const;  // "samples/s" when all points know their batch
  bool has_tokens() const;              // all points know how many tokens a step has
  // The dimension along which points are drawn and the largest size is looked for: the batch, else
  // the first. Empty when there is none.
  std::optional<std::size_t> main_dim() const;
  bool has_sizes() const;  // there is one, and all its values are numbers
};

// Points that differ in the main dimension alone, ascending.
struct SweepSeries {
  std::string name;     // "4xP100", "4xP100 seq=128"
  std::string cluster;  // the cluster of it
  std::vector<const SweepPoint*> points;
};
std::vector<SweepSeries> sweep_series(const Sweep& sweep);

// The size as a number, where it is one.
std::optional<double> sweep_number(const std::string& value);

// The largest size of a series that fits, and the next that does not; either may be null.
struct LargestFit {
  const SweepPoint* fits = nullptr;
  const SweepPoint* next = nullptr;
};
LargestFit largest_fit(const SweepSeries& series);
// "largest batch that fits: 64; at 128 no plan can fit: at least 3.20 GiB more memory is
// needed"
std::string largest_fit_sentence(const Sweep& sweep, const SweepSeries& series);

std::string sweep_text(const Sweep& sweep, Ink ink);
// Fields of the object that is open in the writer.
void write_sweep(JsonWriter& json, const Sweep& sweep);
// A page in one file that needs nothing else.
std::string sweep_html(const Sweep& sweep, const Origin& origin = {});

}  // namespace berth::report
