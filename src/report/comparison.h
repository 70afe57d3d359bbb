// Several methods on one problem, one row per method, as a table and as JSON.
#pragma once

#include <span>
#include <string>

#include "base/json_writer.h"
#include "report/analysis.h"
#include "report/text.h"

namespace berth::report {

struct ComparisonRow {
  std::string method;
  std::string failure;  // why there is no plan; empty when there is one
  // What the row may decide beyond the others, " +schedule"; empty where all rows are alike.
  std::string variant = {};
  Tasks tasks = {};
  bounds::Bound bound = {};  // holds for the tasks of this row
  Outcome outcome = {};
  double search_seconds = 0;
  double evaluations = 0;
  bool interrupted = false;
  bool gap_reached = false;  // the search ended within the gap of a lower bound
  std::string remark = {};

  std::string name() const { return method + variant; }
  bool has_plan() const { return failure.empty(); }
};

inline constexpr std::size_t kNoRow = static_cast<std::size_t>(-1);
// Position of the best row: feasible before not, then the shorter step, of infeasible ones fewer
// bytes over; the first of equals. kNoRow when no row has a plan.
std::size_t best_row(std::span<const ComparisonRow> rows);

std::string comparison_table(std::span<const ComparisonRow> rows, Ink ink);
// The rows as an array; the key is the caller's.
void write_rows(JsonWriter& json, std::span<const ComparisonRow> rows, const Problem& problem);

}  // namespace berth::report
