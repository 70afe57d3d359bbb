#include "experiments/learning_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "base/quantity.h"
#include "report/html/html_file.h"
#include "report/html/html_text.h"
#include "report/html/line_chart.h"

namespace berth::experiments {
namespace {

constexpr int kPoints = 24;  // per line

// Arms of one problem in the order of the part, with their records of all seeds.
using Arms = std::vector<std::pair<const LearningArm*, std::vector<const LearningRecord*>>>;

std::vector<std::pair<const LearningProblem*, Arms>> by_problem(
    const std::vector<LearningRecord>& records) {
  std::vector<std::pair<const LearningProblem*, Arms>> problems;
  const auto in = [](auto& list, const auto* key) -> auto& {
    const auto found = std::ranges::find(list, key, [](const auto& one) { return one.first; });
    if (found != list.end()) return found->second;
    list.push_back({key, {}});
    return list.back().second;
  };
  for (const LearningRecord& record : records) {
    in(in(problems, record.cell.problem), record.cell.arm).push_back(&record);
  }
  return problems;
}

report::ChartLine line_of(const std::string& name, const std::vector<CurvePoint>& points) {
  report::ChartLine line{.name = name, .points = {}};
  for (const CurvePoint& point : points) {
    line.points.push_back(
        {.x = point.evaluations,
         .y = point.mean_seconds,
         .hint = fmt::format("{}, {:.0f} evaluations: {}", name, point.evaluations,
                             format_seconds(point.mean_seconds))});
  }
  return line;
}

std::vector<CurvePoint> learned_curve(const std::string& folder,
                                      const std::vector<const LearningRecord*>& records) {
  std::vector<std::vector<CurvePoint>> runs;
  for (const LearningRecord* const record : records) {
    const std::string path =
        (std::filesystem::path(folder) / (record->cell.file_name() + ".jsonl")).string();
    const InputFile file(path);
    runs.push_back(curve_points(file.text(), path));
  }
  return mean_curve(runs);
}

report::Chart chart_of(const std::string& folder, const Arms& arms) {
  report::Chart chart{.x_label = "evaluations", .ticks = {}, .y_text = format_seconds, .lines = {}};
  double most = 0;
  // Controls without learning are the same early and late, and would only hide the others.
  for (const auto& [arm, records] : arms) {
    if (!records.front()->result.last_fitting || arm->method.ends_with(":lr=0")) {
      continue;
    }
    chart.lines.push_back(line_of(arm->name, learned_curve(folder, records)));
    for (const auto& point : chart.lines.back().points) most = std::max(most, point.x);
  }
  for (const auto& [arm, records] : arms) {
    const LearningResult& result = records.front()->result;
    const bool shown = arm->name == "single" || arm->name == "heft" || arm->name == "expert";
    if (!shown || !result.step || most == 0) continue;
    chart.lines.push_back(
        line_of(arm->name, {{kCurveSamples, *result.step}, {most, *result.step}}));
  }
  for (const double value : report::axis_values(0, most, false)) {
    if (value >= kCurveSamples) chart.ticks.push_back({value, fmt::format("{:.0f}", value)});
  }
  return chart;
}

}  // namespace

std::vector<CurvePoint> curve_points(std::string_view text, std::string_view source) {
  std::vector<CurvePoint> points;
  for (const CurveLine& line : curve_lines(text, source)) {
    if (line.evaluations >= kCurveSamples && line.mean_seconds > 0) {
      points.push_back({line.evaluations, line.mean_seconds});
    }
  }
  return points;
}

std::vector<CurvePoint> mean_curve(const std::vector<std::vector<CurvePoint>>& runs) {
  double first = 0;
  double last = 0;
  for (const auto& run : runs) {
    if (run.empty()) return {};
    first = std::max(first, run.front().evaluations);
    last = std::max(last, run.back().evaluations);
  }
  std::vector<CurvePoint> means;
  for (int i = 0; i < kPoints && !runs.empty() && first <= last; ++i) {
    CurvePoint point{.evaluations = first + (last - first) * i / (kPoints - 1)};
    for (const auto& run : runs) {
      const auto after =
          std::ranges::upper_bound(run, point.evaluations, {}, &CurvePoint::evaluations);
      point.mean_seconds += std::prev(after)->mean_seconds / static_cast<double>(runs.size());
    }
    means.push_back(point);
  }
  return means;
}

std::string learning_html(const std::string& folder, const std::vector<LearningRecord>& records,
                          const report::Origin& origin) {
  std::string sections;
  for (const auto& [problem, arms] : by_problem(records)) {
    const report::Chart chart = chart_of(folder, arms);
    sections += fmt::format(
        "<section>\n<h2>{}</h2>\n<p>{} on {}: mean step of the last 200 samples, mean over "
        "seeds</p>\n{}<div class=\"charts\"><div>{}</div></div>\n</section>\n",
        report::html_escaped(problem->name), report::html_name(problem->workload),
        report::html_name(problem->cluster), report::chart_legend(chart.lines),
        report::line_chart(chart));
  }
  return report::html_head("Learning curves", fmt::format("{}{}", report::html_file("page.css"),
                                                          report::html_file("lines.css"))) +
         "<header><h1>Learning curves</h1></header>\n" + sections +
         report::origin_section(origin, nullptr) + report::html_tail("");
}

}  // namespace berth::experiments
