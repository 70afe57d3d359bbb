#include "experiments/search_results.h"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/search_pairs.h"
#include "report/analysis.h"

namespace berth::experiments {
namespace {

std::optional<double> median(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  if (values.size() % 2 == 1) return values[middle];
  return (values[middle - 1] + values[middle]) / 2;
}

void count(std::vector<std::pair<std::string, std::size_t>>& counts, const std::string& name) {
  for (auto& [known, number] : counts) {
    if (known != name) continue;
    ++number;
    return;
  }
  counts.emplace_back(name, 1);
}

}  // namespace

std::optional<double> SearchFigure::gap() const {
  if (!has_step()) return {};
  return report::gap_to(step_seconds, bound_seconds);
}

std::optional<double> SearchFigure::evaluations_per_second() const {
  if (!failure.empty() || !(search_seconds > 0)) return {};
  return evaluations / search_seconds;
}

const SearchFigure* SearchRow::find(std::string_view figure) const {
  const auto found = std::find_if(figures.begin(), figures.end(),
                                  [&](const SearchFigure& it) { return it.name == figure; });
  return found == figures.end() ? nullptr : &*found;
}

const SearchFigure* SearchRow::best_placer() const {
  const SearchFigure* best = nullptr;
  for (const SearchFigure& figure : figures) {
    if (figure.is_auto() || !figure.has_step()) continue;
    if (best == nullptr || figure.step_seconds < best->step_seconds) best = &figure;
  }
  return best;
}

std::vector<std::string> SearchRun::auto_figures() const {
  std::vector<std::string> names;
  for (const std::string& budget : budgets) names.push_back(auto_figure(budget));
  names.push_back(schedule_figure());
  return names;
}

SearchVerdict search_verdict(const SearchRun& run, const SearchRow& row) {
  const SearchFigure* ours = row.find(run.main_figure());
  const SearchFigure* other = row.best_placer();
  const bool has_step = ours != nullptr && ours->has_step();
  if (!has_step && other == nullptr) return {false, "nothing fits"};
  if (!has_step) return {true, fmt::format("{} fits, auto does not", other->name)};
  if (other == nullptr) return {false, "only auto fits"};
  if (other->step_seconds < ours->step_seconds) {
    return {true,
            fmt::format("{} is {} shorter", other->name,
                        report::format_percent(1 - other->step_seconds / ours->step_seconds))};
  }
  if (other->step_seconds == ours->step_seconds) {
    return {false, fmt::format("auto is best, equal to {}", other->name)};
  }
  return {false, "auto is best"};
}

SearchSummary search_summary(const SearchRun& run) {
  SearchSummary summary;
  const std::vector<std::string> names = run.auto_figures();
  std::vector<std::vector<double>> gaps(names.size());
  std::vector<double> speeds;
  for (const SearchRow& row : run.rows) {
    if (is_for_tuning(row.cluster)) {
      ++summary.for_tuning;
      continue;
    }
    ++summary.pairs;
    if (search_verdict(run, row).auto_is_beaten) ++summary.beaten;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const SearchFigure* figure = row.find(names[i]);
      if (figure != nullptr && figure->gap()) gaps[i].push_back(*figure->gap());
    }
    const SearchFigure* ours = row.find(run.main_figure());
    if (ours == nullptr) continue;
    if (ours->evaluations_per_second()) speeds.push_back(*ours->evaluations_per_second());
    if (ours->has_step()) count(summary.bounds, ours->bound_name);
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (const auto gap = median(gaps[i])) summary.median_gaps.emplace_back(names[i], *gap);
  }
  std::stable_sort(summary.bounds.begin(), summary.bounds.end(),
                   [](const auto& left, const auto& right) { return left.second > right.second; });
  summary.evaluations_per_second = median(speeds);
  return summary;
}

}  // namespace berth::experiments
