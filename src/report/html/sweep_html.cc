// A sweep as a page: the largest size that fits, step time and throughput as lines, and the table.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/quantity.h"
#include "report/analysis.h"
#include "report/html/html_file.h"
#include "report/html/html_text.h"
#include "report/html/line_chart.h"
#include "report/sweep.h"

namespace berth::report {
namespace {

constexpr double kWideSpread = 8;  // largest to smallest, from where on equal ratios tell more

// The positions of the sizes on the axis: at their value, or evenly spaced when they are words.
double position(const Sweep& sweep, const std::string& value,
                const std::vector<std::string>& words) {
  if (sweep.has_sizes()) return sweep_number(value).value_or(0);
  return static_cast<double>(std::find(words.begin(), words.end(), value) - words.begin());
}

std::vector<std::string> distinct_values(const Sweep& sweep, std::size_t dim) {
  std::vector<std::string> values;
  for (const SweepPoint& point : sweep.points) {
    if (std::ranges::find(values, point.values[dim]) == values.end()) {
      values.push_back(point.values[dim]);
    }
  }
  return values;
}

// Sizes that double, or nearly so, are drawn at equal distances.
bool grow_by_ratio(const std::vector<ChartTick>& ticks) {
  if (ticks.size() < 2 || !(ticks.front().x > 0)) return false;
  return ticks.back().x / ticks.front().x >= std::min<double>(kWideSpread, 1 << (ticks.size() - 1));
}

std::string hint(const Sweep& sweep, const SweepSeries& series, const SweepPoint& point,
                 std::size_t main) {
  std::string text = fmt::format("{}, {} {}: {}, {} {}", series.name, sweep.dims[main],
                                 point.values[main], format_seconds(point.step_seconds),
                                 format_throughput(point.throughput()), sweep.throughput_unit());
  if (sweep.has_tokens()) {
    text += fmt::format(", {} tokens/s", format_throughput(point.tokens_throughput()));
  }
  if (!point.feasible) text += fmt::format(", {} missing", format_bytes(point.missing_bytes));
  return text;
}

Chart chart_of(const Sweep& sweep, double (*value_of)(const SweepPoint&)) {
  const std::size_t main = sweep.main_dim().value_or(0);
  const std::vector<std::string> values = distinct_values(sweep, main);
  Chart chart;
  chart.x_label = sweep.dims[main];
  for (const std::string& value : values) {
    chart.ticks.push_back({position(sweep, value, values), value});
  }
  std::ranges::sort(chart.ticks, {}, &ChartTick::x);
  chart.log_x = sweep.has_sizes() && grow_by_ratio(chart.ticks);
  for (const SweepSeries& series : sweep_series(sweep)) {
    ChartLine line{.name = series.name, .points = {}};
    for (const SweepPoint* point : series.points) {
      if (!point->has_plan() || !std::isfinite(value_of(*point))) continue;
      line.points.push_back({.x = position(sweep, point->values[main], values),
                             .y = value_of(*point),
                             .hollow = !point->feasible,
                             .hint = hint(sweep, series, *point, main)});
    }
    chart.lines.push_back(std::move(line));
  }
  return chart;
}

double step_of(const SweepPoint& point) { return point.step_seconds; }
double throughput_of(const SweepPoint& point) { return point.throughput(); }
double tokens_of(const SweepPoint& point) { return point.tokens_throughput(); }

bool spreads(const Chart& chart) {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const ChartLine& line : chart.lines) {
    for (const ChartPoint& point : line.points) {
      least = std::min(least, point.y);
      most = std::max(most, point.y);
    }
  }
  return least > 0 && most / least >= kWideSpread;
}

std::string charts_section(const Sweep& sweep) {
  if (!sweep.main_dim()) return "";
  Chart steps = chart_of(sweep, step_of);
  steps.log_y = steps.log_x && spreads(steps);
  steps.y_text = format_seconds;
  Chart throughputs = chart_of(sweep, throughput_of);
  throughputs.y_text = format_throughput;
  std::string tokens;
  if (sweep.has_tokens()) {
    Chart chart = chart_of(sweep, tokens_of);
    chart.y_text = format_throughput;
    tokens = fmt::format("<div><h3>Throughput, tokens/s</h3>{}</div>\n", line_chart(chart));
  }
  const bool any_hollow = std::ranges::any_of(
      sweep.points, [](const SweepPoint& point) { return point.has_plan() && !point.feasible; });
  return fmt::format(
      "<section>\n<h2>Over {}</h2>\n<p>{}</p>\n{}<div class=\"charts\">\n<div><h3>Step time{}</h3>"
      "{}</div>\n<div><h3>Throughput, {}</h3>{}</div>\n{}</div>\n</section>\n",
      html_escaped(steps.x_label, 40),
      any_hollow ? "Hollow marks: the best plan found does not fit in memory." : "",
      chart_legend(steps.lines), steps.log_y ? ", logarithmic" : "", line_chart(steps),
      sweep.throughput_unit(), line_chart(throughputs), tokens);
}

std::string largest_section(const Sweep& sweep) {
  if (!sweep.has_sizes()) return "";
  std::string rows;
  for (const SweepSeries& series : sweep_series(sweep)) {
    rows += fmt::format("<tr><td>{}</td><td class=\"words\">{}</td></tr>\n",
                        html_escaped(series.name, 60),
                        html_escaped(largest_fit_sentence(sweep, series), 200));
  }
  return fmt::format(
      "<section>\n<h2>What fits</h2>\n<p></p>\n<div class=\"scroll\"><table>{}</table></div>\n"
      "</section>\n",
      rows);
}

std::string fits_cell(const SweepPoint& point) {
  const std::string device = html_escaped(point.fullest_device, 20);
  if (!point.feasible) {
    return fmt::format("<span class=\"bad\">{} over on {}</span>",
                       format_bytes(point.peak_bytes - point.usable_bytes), device);
  }
  if (point.usable_bytes == kUnlimitedBytes) return "fits";
  return fmt::format("{}: {} of {}", device, format_bytes(point.peak_bytes),
                     format_bytes(point.usable_bytes));
}

std::string row(const SweepPoint& point) {
  std::string out = fmt::format("<tr><td>{}</td>", html_escaped(point.cluster, 40));
  for (const std::string& value : point.values) {
    const std::optional<double> number = sweep_number(value);
    out += number ? number_cell(*number, html_escaped(value, 20))
                  : fmt::format("<td class=\"number\">{}</td>", html_escaped(value, 20));
  }
  if (!point.has_plan()) {
    return out + fmt::format("<td class=\"words\" colspan=\"5\">{}</td></tr>\n",
                             html_escaped(point.failure, 300));
  }
  const double gap = gap_to(point.step_seconds, point.bound_seconds);
  out += number_cell(point.step_seconds, format_seconds(point.step_seconds));
  out += number_cell(point.throughput(), format_throughput(point.throughput()));
  out += number_cell(point.bound_seconds, format_seconds(point.bound_seconds));
  out += point.feasible && std::isfinite(gap) ? number_cell(gap, format_percent(std::max(0.0, gap)))
                                              : "<td class=\"number\">-</td>";
  return out + fmt::format("<td>{}</td></tr>\n", fits_cell(point));
}

std::string table_section(const Sweep& sweep) {
  std::string table = "<div class=\"scroll\"><table class=\"sortable\"><tr><th>cluster</th>";
  for (const std::string& dim : sweep.dims) {
    table += fmt::format("<th class=\"number\">{}</th>", html_escaped(dim, 20));
  }
  table += fmt::format(
      "<th class=\"number\">step</th><th class=\"number\">{}</th><th class=\"number\">bound</th>"
      "<th class=\"number\">above bound</th><th>fullest device</th></tr>\n",
      sweep.throughput_unit());
  for (const SweepPoint& point : sweep.points) table += row(point);
  return fmt::format(
      "<section>\n<h2>All points</h2>\n<p>No plan is shorter than the "
      "bound.</p>\n{}</table></div>\n"
      "</section>\n",
      table);
}

}  // namespace

std::string sweep_html(const Sweep& sweep, const Origin& origin) {
  std::string clusters;
  for (const std::string& cluster : sweep.clusters) {
    clusters += (clusters.empty() ? "" : ", ") + html_name(cluster, 60);
  }
  return html_head(html_escaped(sweep.title(), 100),
                   fmt::format("{}{}", html_file("page.css"), html_file("lines.css"))) +
         fmt::format("<header><h1>{}</h1><p>on {}; {}, {} per point{}</p></header>\n",
                     html_name(sweep.title(), 100), clusters, html_name(sweep.method, 100),
                     html_escaped(sweep.budget), sweep.interrupted ? "; interrupted" : "") +
         charts_section(sweep) + largest_section(sweep) + table_section(sweep) +
         origin_section(origin, nullptr) + html_tail(html_file("tables.js"));
}

}  // namespace berth::report
