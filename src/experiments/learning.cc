#include "experiments/learning.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/json_format.h"
#include "base/options.h"
#include "place/learned/methods.h"

namespace berth::experiments {
namespace {

constexpr std::string_view kFormatName = "berth.learning";

enum Key : std::size_t {
  kFormat,
  kVersion,
  kProblem,
  kMethod,
  kSeed,
  kStep,
  kGreedy,
  kFirstMean,
  kLastMean,
  kLastFitting,
  kBound,
  kToExpert,
  kUpdates,
  kZeroGradients,
  kEvaluations,
  kSeconds
};
constexpr std::array<std::string_view, 16> kKeys = {
    "format",  "version",        "problem",     "method",       "seed",  "step_seconds",
    "greedy",  "first_mean",     "last_mean",   "last_fitting", "bound", "to_expert",
    "updates", "zero_gradients", "evaluations", "seconds"};

std::optional<double> read_optional(JsonReader& reader) {
  if (reader.peek() != JsonReader::Kind::null) return reader.read_double();
  reader.read_null();
  return std::nullopt;
}

std::int64_t read_count(JsonReader& reader) {
  return reader.read_integer(0, std::numeric_limits<std::int64_t>::max(), "a count");
}

}  // namespace

std::string LearningCell::file_name() const {
  return fmt::format("{}.{}.{}.{}", part->name, problem->name, arm->name, seed);
}

std::string LearningCell::method() const {
  const bool learns = place::find_learned(parse_call(arm->method).name) != nullptr;
  return learns && !problem->units.empty() ? arm->method + ":units=" + problem->units : arm->method;
}

double LearningCell::evaluations() const {
  const bool limited = arm->most_evaluations > 0;
  return limited ? std::min(arm->most_evaluations, problem->evaluations) : problem->evaluations;
}

std::string LearningCell::task() const {
  return fmt::format("{} {} seed {}", problem->name, arm->name, seed);
}

std::vector<LearningCell> learning_cells(const LearningPart& part, std::uint64_t seeds) {
  std::vector<LearningCell> cells;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    for (const LearningProblem& problem : part.problems) {
      for (const LearningArm& arm : part.arms) {
        if (seed == 0 || arm.drawn) cells.push_back({&part, &problem, &arm, seed});
      }
    }
  }
  return cells;
}

std::string learning_result_json(const LearningCell& cell, const LearningResult& result) {
  JsonWriter json;
  json.begin_object().field("format", kFormatName).field("version", 1);
  json.field("problem", cell.problem->workload + " on " + cell.problem->cluster);
  json.field("method", cell.method()).field("seed", cell.seed);
  json.field("step_seconds", result.step).field("greedy", result.greedy);
  json.field("first_mean", result.first_mean).field("last_mean", result.last_mean);
  json.field("last_fitting", result.last_fitting).field("bound", result.bound);
  json.field("to_expert", result.to_expert);
  json.field("updates", result.updates).field("zero_gradients", result.zero_gradients);
  json.field("evaluations", result.evaluations).field("seconds", result.seconds);
  json.end_object();
  return json.take();
}

LearningResult parse_learning_result(std::string_view text, std::string_view source) {
  check_format(text, source, kFormatName);
  JsonReader reader(text, source);
  ObjectKeys keys("a result", kKeys);
  LearningResult result;
  keys.begin(reader);
  while (const auto key = keys.next(reader)) {
    switch (static_cast<Key>(*key)) {
      case kFormat:
      case kVersion:
      case kProblem:
      case kMethod:
      case kSeed:
        reader.skip();
        break;
      case kStep:
        result.step = read_optional(reader);
        break;
      case kGreedy:
        result.greedy = read_optional(reader);
        break;
      case kFirstMean:
        result.first_mean = read_optional(reader);
        break;
      case kLastMean:
        result.last_mean = read_optional(reader);
        break;
      case kLastFitting:
        result.last_fitting = read_optional(reader);
        break;
      case kBound:
        result.bound = read_optional(reader);
        break;
      case kToExpert:
        result.to_expert = read_optional(reader);
        break;
      case kUpdates:
        result.updates = read_count(reader);
        break;
      case kZeroGradients:
        result.zero_gradients = read_count(reader);
        break;
      case kEvaluations:
        result.evaluations = reader.read_double();
        break;
      case kSeconds:
        result.seconds = reader.read_double();
        break;
    }
  }
  reader.expect_end();
  return result;
}

std::vector<CurveLine> curve_lines(std::string_view text, std::string_view source) {
  std::vector<CurveLine> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    JsonReader reader(text.substr(0, end), source);
    text.remove_prefix(std::min(end + 1, text.size()));
    CurveLine line;
    reader.begin_object();
    while (const auto key = reader.next_key()) {
      if (*key == "evaluations") {
        line.evaluations = reader.read_double();
      } else if (*key == "mean_step_seconds") {
        line.mean_seconds = reader.read_double();
      } else if (*key == "gradient_norm") {
        line.gradient_norm = reader.read_double();
      } else {
        reader.skip();
      }
    }
    lines.push_back(line);
  }
  return lines;
}

void read_curve(std::string_view text, std::string_view source, std::optional<double> expert_step,
                LearningResult& result) {
  std::int64_t zeros = 0;
  for (const CurveLine& line : curve_lines(text, source)) {
    zeros = line.gradient_norm == 0 ? zeros + 1 : 0;
    result.zero_gradients = std::max(result.zero_gradients, zeros);
    // The mean is of the last 200 samples, so where it first covers 200 it is of the first.
    if (line.evaluations < kCurveSamples || line.mean_seconds <= 0) continue;
    if (!result.first_mean) result.first_mean = line.mean_seconds;
    if (!result.to_expert && expert_step && line.mean_seconds <= *expert_step) {
      result.to_expert = line.evaluations;
    }
  }
}

}  // namespace berth::experiments
