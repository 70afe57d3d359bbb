#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/quantity.h"
#include "experiments/search_pairs.h"
#include "experiments/search_results.h"
#include "report/table.h"

namespace berth::experiments {
namespace {

constexpr std::size_t kMostAcross = 8;  // pairs of a table

std::string step_cell(const SearchFigure* figure) {
  if (figure == nullptr || !figure->failure.empty()) return "-";
  return figure->fits ? format_seconds(figure->step_seconds) : "OOM";
}

std::string rate_cell(const std::optional<double>& per_second) {
  if (!per_second) return "-";
  return format_count(static_cast<std::uint64_t>(std::llround(*per_second)));
}

// What the pairs are; the other tables name them by number.
std::string pairs_table(const SearchRun& run, report::Ink ink) {
  using Align = report::Table::Align;
  report::Table table(
      {{"", Align::right}, {"workload"}, {"cluster"}, {"ops", Align::right}, {"best placer"}, {""}},
      ink);
  for (std::size_t i = 0; i < run.rows.size(); ++i) {
    const SearchRow& row = run.rows[i];
    const SearchFigure* placer = row.best_placer();
    table.add_row({fmt::format("{}", i + 1), report::plain_name(row.workload, 40),
                   report::plain_name(row.cluster, 20), format_count(row.ops),
                   placer != nullptr ? placer->name : "-",
                   is_for_tuning(row.cluster) ? "(for tuning)" : ""});
  }
  return table.to_text();
}

std::string steps_table(const SearchRun& run, report::Ink ink) {
  using Align = report::Table::Align;
  std::vector<report::Table::Column> columns = {{"", Align::right}, {"placer", Align::right}};
  // The method's name once is enough: "auto 1s", "10s", "60s", "+schedule".
  for (const std::string& name : run.auto_figures()) {
    const bool first = name == SearchRun::auto_figure(run.budgets.front());
    const bool schedule = name == run.schedule_figure();
    columns.push_back({first      ? name
                       : schedule ? "+schedule"
                                  : name.substr(SearchRun::auto_figure("").size()),
                       Align::right});
  }
  columns.insert(columns.end(), {{"bound", Align::right},
                                 {"gap", Align::right},
                                 {"evals/s", Align::right, report::Table::Room::optional}});
  report::Table table(columns, ink);
  for (std::size_t i = 0; i < run.rows.size(); ++i) {
    const SearchRow& row = run.rows[i];
    const SearchFigure* ours = row.find(run.main_figure());
    std::vector<std::string> cells = {fmt::format("{}", i + 1), step_cell(row.best_placer())};
    for (const std::string& name : run.auto_figures()) cells.push_back(step_cell(row.find(name)));
    const auto gap = ours != nullptr ? ours->gap() : std::nullopt;
    cells.push_back(ours != nullptr ? format_seconds(ours->bound_seconds) : "-");
    cells.push_back(gap ? report::format_percent(*gap) : "-");
    cells.push_back(rate_cell(ours != nullptr ? ours->evaluations_per_second() : std::nullopt));
    table.add_row(std::move(cells));
  }
  return table.to_text();
}

// Every placer's step over auto's, pairs across by their number.
std::string placers_table(const SearchRun& run, std::size_t begin, std::size_t end,
                          report::Ink ink) {
  const std::string over = run.main_figure();
  std::vector<report::Table::Column> columns = {{"over " + over}};
  std::vector<std::string> names;
  for (std::size_t i = begin; i < end; ++i) {
    columns.push_back({fmt::format("{}", i + 1), report::Table::Align::right});
    for (const SearchFigure& figure : run.rows[i].figures) {
      if (figure.is_auto()) continue;
      if (std::find(names.begin(), names.end(), figure.name) == names.end()) {
        names.push_back(figure.name);
      }
    }
  }
  report::Table table(columns, ink);
  for (const std::string& name : names) {
    std::vector<std::string> cells = {name};
    for (std::size_t i = begin; i < end; ++i) {
      const SearchFigure* figure = run.rows[i].find(name);
      const SearchFigure* ours = run.rows[i].find(over);
      const bool both = figure != nullptr && figure->has_step() && ours != nullptr &&
                        ours->has_step() && ours->step_seconds > 0;
      cells.push_back(both ? report::format_ratio(figure->step_seconds / ours->step_seconds)
                           : step_cell(figure));
    }
    table.add_row(std::move(cells));
  }
  return table.to_text();
}

// Of the pairs where there is more to say than that auto is best.
std::string verdict_lines(const SearchRun& run, report::Ink ink) {
  std::string out;
  for (std::size_t i = 0; i < run.rows.size(); ++i) {
    const SearchVerdict verdict = search_verdict(run, run.rows[i]);
    if (verdict.sentence == "auto is best") continue;
    const std::string line = fmt::format("  - {}: {}", i + 1, verdict.sentence);
    out += (verdict.auto_is_beaten ? ink.bad(line) : line) + '\n';
  }
  return out;
}

std::string summary_lines(const SearchRun& run) {
  const SearchSummary summary = search_summary(run);
  if (summary.pairs == 0) return "";
  std::string gaps, bounds;
  for (const auto& [name, gap] : summary.median_gaps) {
    gaps += fmt::format("{}{} {}", gaps.empty() ? "" : ", ", name, report::format_percent(gap));
  }
  for (const auto& [name, pairs] : summary.bounds) {
    bounds += fmt::format("{}{} on {}", bounds.empty() ? "" : ", ", name, pairs);
  }
  std::string out = report::list_item(fmt::format("{} is longer than some placer's on {} of {}.",
                                                  run.main_figure(), summary.beaten,
                                                  report::format_number_of(summary.pairs, "pair")));
  if (!gaps.empty()) {
    out += report::list_item(
        fmt::format("Median gap to the lower bound: {}. The largest bound is {}.", gaps, bounds));
  }
  if (summary.evaluations_per_second) {
    out += report::list_item(fmt::format("{} makes {} evaluations per second (median).",
                                         run.main_figure(),
                                         rate_cell(summary.evaluations_per_second)));
  }
  if (summary.for_tuning > 0) {
    out +=
        report::list_item(fmt::format("{} on clusters that are for tuning {} not in these figures.",
                                      report::format_number_of(summary.for_tuning, "pair"),
                                      summary.for_tuning == 1 ? "is" : "are"));
  }
  return out;
}

}  // namespace

std::string search_answer(const SearchRun& run, report::Ink ink) {
  if (run.rows.empty()) return "interrupted before the first pair was done\n";
  std::string out =
      ink.bold("Every placer, and auto at several budgets") + '\n' +
      report::wrap_text(
          fmt::format("Step times. Placers that search, and auto with a schedule, get {}. Gap and "
                      "evaluations per second are those of {}. Seed {}.",
                      run.main_budget(), run.main_figure(), run.seed),
          report::kPageColumns, 2) +
      '\n';
  out += pairs_table(run, ink) + '\n' + steps_table(run, ink) + '\n';
  // Tables of nearly the same width.
  const std::size_t tables = (run.rows.size() + kMostAcross - 1) / kMostAcross;
  const std::size_t across = (run.rows.size() + tables - 1) / tables;
  for (std::size_t begin = 0; begin < run.rows.size(); begin += across) {
    out += placers_table(run, begin, std::min(run.rows.size(), begin + across), ink) + '\n';
  }
  out += verdict_lines(run, ink) + summary_lines(run);
  if (run.interrupted) out += "\ninterrupted; these are the pairs that were done\n";
  return out;
}

}  // namespace berth::experiments
