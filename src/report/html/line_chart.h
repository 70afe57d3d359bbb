// Lines over a common axis as SVG, for the HTML pages: no script, the figures of a point show when
// the mouse rests on it. Their look comes from page.css and lines.css in src/report/html.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace berth::report {

struct ChartPoint {
  double x = 0;
  double y = 0;
  bool hollow = false;
  std::string hint;  // plain text
};

struct ChartLine {
  std::string name;
  std::vector<ChartPoint> points;  // ascending in x
};

struct ChartTick {
  double x = 0;
  std::string label;
};

struct Chart {
  std::string x_label;
  std::vector<ChartTick> ticks;  // ascending; those that would overlap are left out
  bool log_x = false;            // every x is more than 0
  bool log_y = false;            // every y is more than 0
  std::function<std::string(double)> y_text;
  std::vector<ChartLine> lines;
};

std::string line_chart(const Chart& chart);
// The names of the lines in their colours.
std::string chart_legend(const std::vector<ChartLine>& lines);

// Round values for an axis from 0 to `most`, or of decades when logarithmic.
std::vector<double> axis_values(double least, double most, bool logarithmic);

}  // namespace berth::report
