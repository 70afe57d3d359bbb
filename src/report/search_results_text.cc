#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "report/search_pairs.h"
#include "report/search_results.h"
#include "report/table.h"

namespace berth {
namespace {

constexpr std::size_t kPairsAcross = 12;

std::string step_cell(const SearchFigure* figure) {
  if (figure == nullptr || !figure->failure.empty()) return "-";
  return figure->fits ? format_seconds(figure->step_seconds) : "OOM";
}

std::string rate_cell(const std::optional<double>& per_second) {
  if (!per_second) return "-";
  return format_count(static_cast<std::uint64_t>(std::llround(*per_second)));
}

std::string pairs_table(const SearchRun& run, Ink ink) {
  using Align = Table::Align;
  std::vector<Table::Column> columns = {{"", Align::right}, {"workload"},
                                        {"cluster"},        {"ops", Align::right},
                                        {"best placer"},    {"step", Align::right}};
  // The method's name once is enough: "auto 1s", "10s", "60s", "10s +schedule".
  for (const std::string& name : run.auto_figures()) {
    const bool first = name == SearchRun::auto_figure(run.budgets.front());
    columns.push_back(
        {first ? name : name.substr(SearchRun::auto_figure("").size()), Align::right});
  }
  columns.insert(
      columns.end(),
      {{"bound", Align::right}, {""}, {"above", Align::right}, {"evals/s", Align::right}, {""}});
  Table table(columns, ink);
  for (std::size_t i = 0; i < run.rows.size(); ++i) {
    const SearchRow& row = run.rows[i];
    const SearchFigure* placer = row.best_placer();
    const SearchFigure* ours = row.find(run.main_figure());
    std::vector<std::string> cells = {fmt::format("{}", i + 1),
                                      plain_name(row.workload, 40),
                                      plain_name(row.cluster, 20),
                                      format_count(row.ops),
                                      placer != nullptr ? placer->name : "-",
                                      step_cell(placer)};
    for (const std::string& name : run.auto_figures()) cells.push_back(step_cell(row.find(name)));
    const auto gap = ours != nullptr ? ours->gap() : std::nullopt;
    cells.push_back(ours != nullptr ? format_seconds(ours->bound_seconds) : "-");
    cells.push_back(ours != nullptr ? ours->bound_name : "");
    cells.push_back(gap ? format_percent(*gap) : "-");
    cells.push_back(rate_cell(ours != nullptr ? ours->evaluations_per_second() : std::nullopt));
    const SearchVerdict verdict = search_verdict(run, row);
    std::string words = verdict.auto_is_beaten ? ink.bad(verdict.sentence) : verdict.sentence;
    if (is_for_tuning(row.cluster)) words += " (for tuning)";
    cells.push_back(std::move(words));
    table.add_row(std::move(cells));
  }
  return table.to_text();
}

// Every placer's step over auto's, pairs across by their number.
std::string placers_table(const SearchRun& run, std::size_t begin, std::size_t end, Ink ink) {
  const std::string over = run.main_figure();
  std::vector<Table::Column> columns = {{"over " + over}};
  std::vector<std::string> names;
  for (std::size_t i = begin; i < end; ++i) {
    columns.push_back({fmt::format("{}", i + 1), Table::Align::right});
    for (const SearchFigure& figure : run.rows[i].figures) {
      if (figure.is_auto()) continue;
      if (std::find(names.begin(), names.end(), figure.name) == names.end()) {
        names.push_back(figure.name);
      }
    }
  }
  Table table(columns, ink);
  for (const std::string& name : names) {
    std::vector<std::string> cells = {name};
    for (std::size_t i = begin; i < end; ++i) {
      const SearchFigure* figure = run.rows[i].find(name);
      const SearchFigure* ours = run.rows[i].find(over);
      const bool both = figure != nullptr && figure->has_step() && ours != nullptr &&
                        ours->has_step() && ours->step_seconds > 0;
      cells.push_back(both ? format_ratio(figure->step_seconds / ours->step_seconds)
                           : step_cell(figure));
    }
    table.add_row(std::move(cells));
  }
  return table.to_text();
}

std::string summary_lines(const SearchRun& run) {
  const SearchSummary summary = search_summary(run);
  if (summary.pairs == 0) return "";
  std::string gaps, bounds;
  for (const auto& [name, gap] : summary.median_gaps) {
    gaps += fmt::format("{}{} {}", gaps.empty() ? "" : ", ", name, format_percent(gap));
  }
  for (const auto& [name, pairs] : summary.bounds) {
    bounds += fmt::format("{}{} on {}", bounds.empty() ? "" : ", ", name, pairs);
  }
  std::string out =
      list_item(fmt::format("{} is longer than some placer's on {} of {}.", run.main_figure(),
                            summary.beaten, format_number_of(summary.pairs, "pair")));
  if (!gaps.empty()) {
    out += list_item(
        fmt::format("Median gap to the lower bound: {}. The largest bound is {}.", gaps, bounds));
  }
  if (summary.evaluations_per_second) {
    out += list_item(fmt::format("{} makes {} evaluations a second (median).", run.main_figure(),
                                 rate_cell(summary.evaluations_per_second)));
  }
  if (summary.for_tuning > 0) {
    out += list_item(fmt::format("{} on clusters that are for tuning {} not in these figures.",
                                 format_number_of(summary.for_tuning, "pair"),
                                 summary.for_tuning == 1 ? "is" : "are"));
  }
  return out;
}

}  // namespace

std::string search_answer(const SearchRun& run, Ink ink) {
  if (run.rows.empty()) return "interrupted before the first pair was done\n";
  std::string out =
      ink.bold("Every placer and auto by budget") +
      fmt::format(
          "\n  Step times. Placers that search and auto with a schedule have {}, and gap,\n"
          "  evaluations a second and verdict are of {}; seed {}.\n\n",
          run.main_budget(), run.main_figure(), run.seed);
  out += pairs_table(run, ink) + '\n';
  for (std::size_t begin = 0; begin < run.rows.size(); begin += kPairsAcross) {
    out += placers_table(run, begin, std::min(run.rows.size(), begin + kPairsAcross), ink) + '\n';
  }
  out += summary_lines(run);
  if (run.interrupted) out += "\ninterrupted; these are the pairs that were done\n";
  return out;
}

}  // namespace berth
