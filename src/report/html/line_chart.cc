#include "report/html/line_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/html/html_text.h"

namespace berth::report {
namespace {

constexpr double kWidth = 520;
constexpr double kHeight = 300;
constexpr double kLeft = 68;  // room for the labels of the axes
constexpr double kRight = 14;
constexpr double kTop = 12;
constexpr double kBottom = 44;
constexpr double kInset = 14;  // between the frame and the first and last point
constexpr double kTickRoom = 40;
constexpr std::size_t kColours = 6;
constexpr double kMostAxisValues = 7;

// A position on the picture for a value.
struct Axis {
  double least = 0;
  double most = 1;
  bool logarithmic = false;
  double begin = 0;
  double end = 1;

  double at(double value) const {
    const auto scaled = [&](double v) { return logarithmic ? std::log2(v) : v; };
    const double span = scaled(most) - scaled(least);
    if (!(span > 0)) return (begin + end) / 2;
    return begin + (scaled(value) - scaled(least)) / span * (end - begin);
  }
};

struct Range {
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
};

Range range_of(const Chart& chart, double ChartPoint::*member) {
  Range range;
  for (const ChartLine& line : chart.lines) {
    for (const ChartPoint& point : line.points) {
      range.least = std::min(range.least, point.*member);
      range.most = std::max(range.most, point.*member);
    }
  }
  return range;
}

std::string line_class(std::size_t index) {
  return fmt::format("c{}{}", index % kColours, index < kColours ? "" : " again");
}

std::string horizontal_lines(const Chart& chart, const Axis& y) {
  std::string out;
  for (const double value : axis_values(y.least, y.most, chart.log_y)) {
    const std::string at = short_number(y.at(value));
    out += fmt::format(
        "<line class=\"grid\" x1=\"{}\" x2=\"{}\" y1=\"{}\" y2=\"{}\"/>"
        "<text x=\"{}\" y=\"{}\" dy=\"4\" text-anchor=\"end\">{}</text>\n",
        kLeft, kWidth - kRight, at, at, kLeft - 8, at, html_escaped(chart.y_text(value)));
  }
  return out;
}

std::string tick_marks(const Chart& chart, const Axis& x) {
  std::string out;
  double last = -std::numeric_limits<double>::infinity();
  for (const ChartTick& tick : chart.ticks) {
    const double at = x.at(tick.x);
    if (at - last < kTickRoom) continue;
    last = at;
    out += fmt::format(
        "<line class=\"tick\" x1=\"{0}\" x2=\"{0}\" y1=\"{1}\" y2=\"{2}\"/>"
        "<text x=\"{0}\" y=\"{3}\" text-anchor=\"middle\">{4}</text>\n",
        short_number(at), kHeight - kBottom, kHeight - kBottom + 5, kHeight - kBottom + 18,
        html_escaped(tick.label, 12));
  }
  return out + fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                           (kLeft + kWidth - kRight) / 2, kHeight - 6,
                           html_escaped(chart.x_label, 40));
}

std::string drawn_line(const ChartLine& line, std::size_t index, const Axis& x, const Axis& y) {
  std::string path, marks;
  for (const ChartPoint& point : line.points) {
    const std::string at_x = short_number(x.at(point.x));
    const std::string at_y = short_number(y.at(point.y));
    path += fmt::format("{}{} {}", path.empty() ? "M" : "L", at_x, at_y);
    marks += fmt::format("<circle{} cx=\"{}\" cy=\"{}\" r=\"4\"><title>{}</title></circle>\n",
                         point.hollow ? " class=\"hollow\"" : "", at_x, at_y,
                         html_escaped(point.hint, 200));
  }
  return fmt::format("<g class=\"{}\"><path d=\"{}\"/>\n{}</g>\n", line_class(index), path, marks);
}

}  // namespace

std::vector<double> axis_values(double least, double most, bool logarithmic) {
  std::vector<double> values;
  if (!(most > 0) || !std::isfinite(most)) return values;
  if (!logarithmic) {
    const double rough = most / (kMostAxisValues - 1);
    const double power = std::pow(10, std::floor(std::log10(rough)));
    double step = 10 * power;
    for (const double factor : {5.0, 2.5, 2.0, 1.0}) {
      if (factor * power >= rough) step = factor * power;
    }
    for (int i = 0; i * step <= most * (1 + 1e-9); ++i) values.push_back(i * step);
    return values;
  }
  // 1, 2 and 5 of every decade, or only the decades where there are many.
  const bool many = most / least > 1000;
  for (double power = std::pow(10, std::floor(std::log10(least))); power <= most; power *= 10) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      if (many && factor > 1) break;
      if (factor * power >= least * (1 - 1e-9) && factor * power <= most * (1 + 1e-9)) {
        values.push_back(factor * power);
      }
    }
  }
  return values;
}

std::string line_chart(const Chart& chart) {
  const Range xs = range_of(chart, &ChartPoint::x);
  const Range ys = range_of(chart, &ChartPoint::y);
  if (!(xs.least <= xs.most)) return "";
  const Axis x{.least = xs.least,
               .most = xs.most,
               .logarithmic = chart.log_x,
               .begin = kLeft + kInset,
               .end = kWidth - kRight - kInset};
  // A little air above the highest point, and below the lowest where the axis does not begin at 0.
  const Axis y{.least = chart.log_y ? ys.least / 1.15 : 0,
               .most = ys.most * (chart.log_y ? 1.15 : 1.06),
               .logarithmic = chart.log_y,
               .begin = kHeight - kBottom,
               .end = kTop};
  std::string out =
      fmt::format("<svg class=\"lines\" viewBox=\"0 0 {} {}\" role=\"img\">\n", kWidth, kHeight);
  out += horizontal_lines(chart, y) + tick_marks(chart, x);
  out += fmt::format("<line class=\"tick\" x1=\"{}\" x2=\"{}\" y1=\"{}\" y2=\"{}\"/>\n", kLeft,
                     kWidth - kRight, kHeight - kBottom, kHeight - kBottom);
  for (std::size_t i = 0; i < chart.lines.size(); ++i) {
    if (!chart.lines[i].points.empty()) out += drawn_line(chart.lines[i], i, x, y);
  }
  return out + "</svg>\n";
}

std::string chart_legend(const std::vector<ChartLine>& lines) {
  std::string out = "<div class=\"legend\">";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    out += fmt::format(
        "<span><svg class=\"lines key\" viewBox=\"0 0 28 12\"><g class=\"{}\"><path d=\"M0 6L28 "
        "6\"/><circle cx=\"14\" cy=\"6\" r=\"4\"/></g></svg>{}</span>",
        line_class(i), html_escaped(lines[i].name, 60));
  }
  return out + "</div>\n";
}

}  // namespace berth::report
