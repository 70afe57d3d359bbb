#include "report/comparison.h"

#include <fmt/format.h>

#include <cmath>

#include "base/quantity.h"
#include "report/outcome_json.h"
#include "report/table.h"

namespace berth::report {
namespace {

bool is_better(const ComparisonRow& left, const ComparisonRow& right) {
  if (left.outcome.feasible != right.outcome.feasible) return left.outcome.feasible;
  if (!left.outcome.feasible && left.outcome.over_bytes != right.outcome.over_bytes) {
    return left.outcome.over_bytes < right.outcome.over_bytes;
  }
  return left.outcome.step_seconds < right.outcome.step_seconds;
}

constexpr std::string_view kLegend =
    "gap: above the lower bound; moved: bytes sent between devices in a step";

std::string fits_cell(const Outcome& outcome, Ink ink) {
  if (outcome.feasible) return "yes";
  return ink.bad(fmt::format("{} over", format_bytes(outcome.over_bytes)));
}

}  // namespace

std::size_t best_row(std::span<const ComparisonRow> rows) {
  std::size_t best = kNoRow;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i].has_plan()) continue;
    if (best == kNoRow || is_better(rows[i], rows[best])) best = i;
  }
  return best;
}

std::string comparison_table(std::span<const ComparisonRow> rows, Ink ink) {
  using Align = Table::Align;
  Table table({{""},
               {"method"},
               {"fits"},
               {"step", Align::right},
               {"vs best", Align::right},
               {"gap", Align::right},
               {"moved", Align::right},
               {"search", Align::right},
               {"evals", Align::right, Table::Room::optional}},
              ink);
  const std::size_t best = best_row(rows);
  std::string failures;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ComparisonRow& row = rows[i];
    const std::string name = plain_name(row.name(), 40);
    if (!row.has_plan()) {
      table.add_row({"", ink.dim(name), ink.dim("no plan")});
      failures += list_item(fmt::format("{}: {}", name, row.failure));
      continue;
    }
    const Outcome& outcome = row.outcome;
    const double best_seconds = rows[best].outcome.step_seconds;
    table.add_row(
        {i == best ? ink.good("*") : "", i == best ? ink.bold(name) : name, fits_cell(outcome, ink),
         format_seconds(outcome.step_seconds),
         format_ratio(best_seconds > 0 ? outcome.step_seconds / best_seconds : 1),
         outcome.feasible ? format_percent(gap_to(outcome.step_seconds, row.bound.seconds)) : "-",
         format_bytes(outcome.transferred_bytes), format_seconds(row.search_seconds),
         format_count(static_cast<std::uint64_t>(std::llround(row.evaluations)))});
  }
  std::string out = table.to_text();
  if (best != kNoRow) out += ink.dim(kLegend) + '\n';
  if (!failures.empty()) out += '\n' + ink.bold("No plan") + '\n' + failures;
  return out;
}

void write_rows(JsonWriter& json, std::span<const ComparisonRow> rows, const Problem& problem) {
  json.begin_array();
  for (const ComparisonRow& row : rows) {
    json.begin_object().field("method", row.method);
    json.field("tasks", format_tasks(row.tasks));
    if (row.has_plan()) {
      write_outcome(json, problem, row.outcome, row.bound);
      json.field("search_seconds", row.search_seconds).field("evaluations", row.evaluations);
      if (row.interrupted) json.field("interrupted", true);
      json.field("gap_reached", row.gap_reached);
      if (!row.remark.empty()) json.field("remark", row.remark);
    } else {
      json.field("feasible", false).field("error", row.failure);
    }
    json.end_object();
  }
  json.end_array();
}

}  // namespace berth::report
