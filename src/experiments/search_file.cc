#include "experiments/search_file.h"

#include <fmt/format.h>

#include <array>
#include <limits>

#include "base/error.h"
#include "base/json_format.h"
#include "base/json_reader.h"

namespace berth::experiments {
namespace {

constexpr std::string_view kFormatName = "berth.bench";

enum RunKey : std::size_t {
  kFormat,
  kVersion,
  kBerthVersion,
  kSeed,
  kBudgets,
  kInterrupted,
  kPairs,
  kSummary,
  kAgainst
};
constexpr std::array<std::string_view, 9> kRunKeys = {"format", "version", "berth_version",
                                                      "seed",   "budgets", "interrupted",
                                                      "pairs",  "summary", "against"};

enum PairKey : std::size_t { kWorkload, kCluster, kOps, kVerdict, kFigures };
constexpr std::array<std::string_view, 5> kPairKeys = {"workload", "cluster", "ops", "verdict",
                                                       "figures"};

enum FigureKey : std::size_t {
  kName,
  kMethod,
  kTasks,
  kBudget,
  kStepSeconds,
  kFits,
  kBoundSeconds,
  kBoundName,
  kGap,
  kEvaluations,
  kSearchSeconds,
  kError
};
constexpr std::array<std::string_view, 12> kFigureKeys = {"name",
                                                          "method",
                                                          "tasks",
                                                          "budget",
                                                          "step_seconds",
                                                          "feasible",
                                                          "lower_bound_seconds",
                                                          "lower_bound",
                                                          "gap",
                                                          "evaluations",
                                                          "search_seconds",
                                                          "error"};

void write_figure(JsonWriter& json, const SearchFigure& figure) {
  json.begin_flat_object().field("name", figure.name).field("method", figure.method);
  json.field("tasks", figure.tasks).field("budget", figure.budget);
  if (!figure.failure.empty()) {
    json.field("feasible", false).field("error", figure.failure).end_object();
    return;
  }
  json.field("step_seconds", figure.step_seconds).field("feasible", figure.fits);
  json.field("lower_bound_seconds", figure.bound_seconds).field("lower_bound", figure.bound_name);
  if (const auto gap = figure.gap()) json.field("gap", *gap);
  json.field("evaluations", figure.evaluations).field("search_seconds", figure.search_seconds);
  json.end_object();
}

void write_summary(JsonWriter& json, const SearchSummary& summary) {
  json.key("summary").begin_object();
  json.field("pairs", summary.pairs).field("pairs_for_tuning", summary.for_tuning);
  json.field("auto_is_beaten", summary.beaten);
  json.key("median_gap").begin_object();
  for (const auto& [name, gap] : summary.median_gaps) json.field(name, gap);
  json.end_object().key("largest_bound").begin_object();
  for (const auto& [name, pairs] : summary.bounds) json.field(name, pairs);
  json.end_object();
  if (summary.evaluations_per_second) {
    json.field("evaluations_per_second", *summary.evaluations_per_second);
  }
  json.end_object();
}

class SearchFileReader {
 public:
  SearchFileReader(std::string_view text, std::string_view source) : reader_(text, source) {}

  SearchRun read(std::vector<std::string>* warnings);

 private:
  void read_budgets();
  SearchRow read_pair();
  SearchFigure read_figure();
  double read_amount(std::string_view what);

  JsonReader reader_;
  ObjectKeys run_keys_{"a bench file", kRunKeys};
  ObjectKeys pair_keys_{"a pair", kPairKeys};
  ObjectKeys figure_keys_{"a figure", kFigureKeys};
  SearchRun run_;
};

SearchRun SearchFileReader::read(std::vector<std::string>* warnings) {
  run_keys_.begin(reader_);
  while (const auto key = run_keys_.next(reader_)) {
    switch (static_cast<RunKey>(*key)) {
      case kFormat:
      case kVersion:  // checked by now
      case kSeed:     // does not change what is compared
      case kSummary:
      case kAgainst:
        reader_.skip();
        break;
      case kBerthVersion:
        run_.berth_version = reader_.read_string();
        break;
      case kBudgets:
        read_budgets();
        break;
      case kInterrupted:
        run_.interrupted = reader_.read_bool();
        break;
      case kPairs:
        reader_.begin_array();
        while (reader_.next_element()) run_.rows.push_back(read_pair());
        break;
    }
  }
  run_keys_.require(reader_, kBudgets);
  run_keys_.require(reader_, kPairs);
  reader_.expect_end();
  for (const auto* keys : {&run_keys_, &pair_keys_, &figure_keys_}) {
    keys->add_warnings(reader_, warnings);
  }
  return std::move(run_);
}

void SearchFileReader::read_budgets() {
  reader_.begin_array();
  const std::size_t position = reader_.position();
  while (reader_.next_element()) run_.budgets.emplace_back(reader_.read_string());
  if (run_.budgets.empty()) {
    reader_.fail_at(position, "\"budgets\" is empty; it names those of auto, as in [\"10s\"]");
  }
}

SearchRow SearchFileReader::read_pair() {
  SearchRow row;
  pair_keys_.begin(reader_);
  while (const auto key = pair_keys_.next(reader_)) {
    switch (static_cast<PairKey>(*key)) {
      case kWorkload:
        row.workload = reader_.read_string();
        break;
      case kCluster:
        row.cluster = reader_.read_string();
        break;
      case kOps:
        row.ops = static_cast<std::uint64_t>(
            reader_.read_integer(0, std::numeric_limits<std::int64_t>::max(), "\"ops\""));
        break;
      case kVerdict:
        reader_.skip();
        break;
      case kFigures:
        reader_.begin_array();
        while (reader_.next_element()) row.figures.push_back(read_figure());
        break;
    }
  }
  for (const PairKey key : {kWorkload, kCluster, kFigures}) pair_keys_.require(reader_, key);
  return row;
}

double SearchFileReader::read_amount(std::string_view what) {
  const double amount = reader_.read_double();
  if (amount < 0) reader_.fail(fmt::format("{} is {}; it is at least 0", what, amount));
  return amount;
}

SearchFigure SearchFileReader::read_figure() {
  SearchFigure figure;
  figure_keys_.begin(reader_);
  while (const auto key = figure_keys_.next(reader_)) {
    switch (static_cast<FigureKey>(*key)) {
      case kName:
        figure.name = reader_.read_string();
        break;
      case kMethod:
        figure.method = reader_.read_string();
        break;
      case kTasks:
        figure.tasks = reader_.read_string();
        break;
      case kBudget:
        figure.budget = reader_.read_string();
        break;
      case kStepSeconds:
        figure.step_seconds = read_amount("\"step_seconds\"");
        break;
      case kFits:
        figure.fits = reader_.read_bool();
        break;
      case kBoundSeconds:
        figure.bound_seconds = read_amount("\"lower_bound_seconds\"");
        break;
      case kBoundName:
        figure.bound_name = reader_.read_string();
        break;
      case kGap:
        reader_.skip();
        break;
      case kEvaluations:
        figure.evaluations = read_amount("\"evaluations\"");
        break;
      case kSearchSeconds:
        figure.search_seconds = read_amount("\"search_seconds\"");
        break;
      case kError:
        figure.failure = reader_.read_string();
        break;
    }
  }
  for (const FigureKey key : {kName, kMethod, kFits}) figure_keys_.require(reader_, key);
  if (figure.failure.empty()) {
    for (const FigureKey key : {kStepSeconds, kBoundSeconds, kEvaluations, kSearchSeconds}) {
      figure_keys_.require(reader_, key);
    }
  }
  return figure;
}

}  // namespace

void write_search_run(JsonWriter& json, const SearchRun& run) {
  json.field("format", kFormatName).field("version", 1);
  json.field("berth_version", run.berth_version).field("seed", run.seed);
  json.key("budgets").begin_flat_array();
  for (const std::string& budget : run.budgets) json.value(budget);
  json.end_array().field("interrupted", run.interrupted).key("pairs").begin_array();
  for (const SearchRow& row : run.rows) {
    json.begin_object().field("workload", row.workload).field("cluster", row.cluster);
    json.field("ops", row.ops).field("verdict", search_verdict(run, row).sentence);
    json.key("figures").begin_array();
    for (const SearchFigure& figure : row.figures) write_figure(json, figure);
    json.end_array().end_object();
  }
  json.end_array();
  write_summary(json, search_summary(run));
}

SearchRun parse_search_run(std::string_view text, std::string_view source,
                           std::vector<std::string>* warnings) {
  check_format(text, source, kFormatName);
  return SearchFileReader(text, source).read(warnings);
}

}  // namespace berth::experiments
