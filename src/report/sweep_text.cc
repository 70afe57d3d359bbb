// A sweep as a table, with bars for the throughput, and the largest size that fits.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/quantity.h"
#include "report/analysis.h"
#include "report/sweep.h"
#include "report/table.h"

namespace berth::report {
namespace {

constexpr std::size_t kBarWidth = 10;
constexpr std::string_view kLegend =
    "gap: above the lower bound; fits: memory used on the fullest device";

// How full the fullest device is, or what it lacks.
std::string fits_text(const SweepPoint& point, Ink ink) {
  if (!point.feasible) {
    return ink.bad(fmt::format("{} over", format_bytes(point.peak_bytes - point.usable_bytes)));
  }
  if (point.usable_bytes == kUnlimitedBytes) return "yes";
  return fmt::format("yes, {}",
                     format_percent(memory_fraction(point.peak_bytes, point.usable_bytes)));
}

std::string gap_text(const SweepPoint& point) {
  if (!point.feasible) return "-";
  const double gap = gap_to(point.step_seconds, point.bound_seconds);
  return std::isfinite(gap) ? format_percent(std::max(0.0, gap)) : "unknown";
}

std::string table_text(const Sweep& sweep, Ink ink) {
  using Align = Table::Align;
  std::vector<Table::Column> columns = {{"cluster"}};
  for (const std::string& dim : sweep.dims) columns.push_back({plain_name(dim, 16), Align::right});
  columns.push_back({"step", Align::right});
  columns.push_back({sweep.throughput_unit(), Align::right});
  if (sweep.has_tokens()) columns.push_back({"tokens/s", Align::right});
  columns.push_back({"", Align::left, Table::Room::optional});
  columns.push_back({"gap", Align::right});
  columns.push_back({"fits"});
  double most = 0;
  for (const SweepPoint& point : sweep.points) most = std::max(most, point.throughput());
  Table table(columns, ink);
  for (const SweepPoint& point : sweep.points) {
    std::vector<std::string> cells = {plain_name(point.cluster, 40)};
    for (const std::string& value : point.values) cells.push_back(plain_name(value, 20));
    if (!point.has_plan()) {
      cells.push_back(ink.dim("no plan"));
      table.add_row(cells);
      continue;
    }
    const double throughput = point.throughput();
    const std::string bar = most > 0 ? text_bar(throughput / most, kBarWidth) : "";
    cells.insert(cells.end(), {format_seconds(point.step_seconds), format_throughput(throughput)});
    if (sweep.has_tokens()) cells.push_back(format_throughput(point.tokens_throughput()));
    cells.insert(cells.end(),
                 {point.feasible ? bar : ink.dim(bar), gap_text(point), fits_text(point, ink)});
    table.add_row(cells);
  }
  return table.to_text() + ink.dim(kLegend) + '\n';
}

// The same sentence often applies to several points; it is printed once, with the first.
std::string failures_text(const Sweep& sweep, Ink ink) {
  std::string out;
  std::vector<std::string> said;
  for (const SweepPoint& point : sweep.points) {
    if (point.has_plan() || std::ranges::find(said, point.failure) != said.end()) continue;
    said.push_back(point.failure);
    out += list_item(fmt::format("{} on {}: {}", plain_name(point.model, 60),
                                 plain_name(point.cluster, 40), point.failure));
  }
  return out.empty() ? "" : '\n' + ink.bold("No plan") + '\n' + out;
}

}  // namespace

std::string sweep_text(const Sweep& sweep, Ink ink) {
  const std::string how =
      fmt::format(", {}, {} per point", plain_name(sweep.method, 24), sweep.budget);
  std::string out = ink.dim(plain_name(sweep.title(), kPageColumns - how.size()) + how) + "\n\n" +
                    table_text(sweep, ink) + failures_text(sweep, ink);
  if (!sweep.has_sizes()) return out;
  out += '\n';
  for (const SweepSeries& series : sweep_series(sweep)) {
    out += wrap_text(
        fmt::format("{}: {}", plain_name(series.name, 60), largest_fit_sentence(sweep, series)),
        kPageColumns, 0);
  }
  return out;
}

}  // namespace berth::report
