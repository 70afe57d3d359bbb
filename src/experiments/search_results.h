// The results of `berth bench search`: per pair of workload and cluster the step of each placer and
// of `auto` by budget, as data that can be kept in a file and compared with a later run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/text.h"

namespace berth::experiments {

// One method on one pair.
struct SearchFigure {
  std::string name;  // "etf", "auto 10s", "auto 10s +schedule": what a later run is matched by
  std::string method;
  std::string tasks;
  std::string budget;
  std::string failure = {};  // why there is no plan; empty when there is one
  bool fits = false;
  double step_seconds = 0;
  double bound_seconds = 0;  // no plan with these tasks is shorter
  std::string bound_name = {};
  double evaluations = 0;
  double search_seconds = 0;

  bool has_step() const { return failure.empty() && fits; }
  bool is_auto() const { return method == "auto"; }
  std::optional<double> gap() const;  // 0.041 for 4.1% above the bound
  std::optional<double> evaluations_per_second() const;
};

struct SearchRow {
  std::string workload;
  std::string cluster;
  std::uint64_t ops = 0;
  std::vector<SearchFigure> figures = {};  // placers in the order of listings, then auto

  std::string name() const { return workload + " on " + cluster; }
  const SearchFigure* find(std::string_view figure) const;  // null when there is none
  const SearchFigure* best_placer() const;  // the shortest that fits; auto does not count
};

struct SearchRun {
  std::vector<std::string> budgets = {};  // of auto, rising
  std::uint64_t seed = 0;
  bool interrupted = false;
  std::string berth_version = {};
  std::vector<SearchRow> rows = {};

  // The budget of the placers that search and of auto with a schedule, and the one verdicts are
  // about: the middle one, of two the larger.
  const std::string& main_budget() const { return budgets[budgets.size() / 2]; }
  std::string main_figure() const { return auto_figure(main_budget()); }
  std::string schedule_figure() const { return main_figure() + " +schedule"; }
  std::vector<std::string> auto_figures() const;  // by rising budget, the one with a schedule last
  static std::string auto_figure(const std::string& budget) { return "auto " + budget; }
};

// "auto is best", "auto is best, level with expert", "etf is 3.1% shorter", "only etf fits".
struct SearchVerdict {
  bool auto_is_beaten = false;
  std::string sentence;
};
SearchVerdict search_verdict(const SearchRun& run, const SearchRow& row);

// Over the pairs that are not for tuning.
struct SearchSummary {
  std::size_t pairs = 0;
  std::size_t for_tuning = 0;  // pairs left out
  std::size_t beaten = 0;      // pairs where a placer beats auto at the main budget
  std::vector<std::pair<std::string, double>> median_gaps;  // by figure of auto
  std::vector<std::pair<std::string, std::size_t>>
      bounds;                                    // name and pairs where it is the largest
  std::optional<double> evaluations_per_second;  // the median
};
SearchSummary search_summary(const SearchRun& run);

// Tables for people, and the summary.
std::string search_answer(const SearchRun& run, report::Ink ink);

}  // namespace berth::experiments
