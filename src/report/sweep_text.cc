// A sweep as a table, with bars for the throughput, and the largest size that fits.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "report/analysis.h"
#include "report/sweep.h"
#include "report/table.h"

namespace berth {
namespace {

constexpr std::size_t kBarWidth = 12;

std::string fits_text(const SweepPoint& point, Ink ink) {
  const std::string device = plain_name(point.fullest_device, 20);
  if (!point.feasible) {
    return ink.bad(fmt::format("no, {} {} short", device,
                               format_bytes(point.peak_bytes - point.usable_bytes)));
  }
  if (point.usable_bytes == kUnlimitedBytes) return "yes";
  return fmt::format("yes, {} {} of {}", device, format_bytes(point.peak_bytes),
                     format_bytes(point.usable_bytes));
}

std::string gap_text(const SweepPoint& point) {
  if (!point.feasible) return "-";
  const double gap = gap_to(point.step_seconds, point.bound_seconds);
  return std::isfinite(gap) ? format_percent(std::max(0.0, gap)) : "unknown";
}

std::string table_text(const Sweep& sweep, Ink ink) {
  using Align = Table::Align;
  std::vector<Table::Column> columns = {{"cluster"}};
  for (const std::string& dim : sweep.dims) columns.push_back({plain_name(dim, 20), Align::right});
  for (const Table::Column& column : {Table::Column{"step", Align::right},
                                      {sweep.throughput_unit(), Align::right},
                                      {""},
                                      {"bound", Align::right},
                                      {"above bound", Align::right},
                                      {"fits, fullest device"}}) {
    columns.push_back(column);
  }
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
    cells.insert(cells.end(),
                 {format_seconds(point.step_seconds), format_throughput(throughput),
                  point.feasible ? bar : ink.dim(bar), format_seconds(point.bound_seconds),
                  gap_text(point), fits_text(point, ink)});
    table.add_row(cells);
  }
  return table.to_text();
}

// The same sentence often holds for several points; it is said once, with the first.
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
  std::string out = ink.dim(fmt::format("{}, {}, {} a point", plain_name(sweep.title(), 70),
                                        plain_name(sweep.method, 60), sweep.budget)) +
                    "\n\n" + table_text(sweep, ink) + failures_text(sweep, ink);
  if (!sweep.has_sizes()) return out;
  out += '\n';
  for (const SweepSeries& series : sweep_series(sweep)) {
    out +=
        fmt::format("{}: {}\n", plain_name(series.name, 60), largest_fit_sentence(sweep, series));
  }
  return out;
}

}  // namespace berth
