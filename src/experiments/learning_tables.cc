#include "experiments/learning_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/quantity.h"
#include "experiments/interval.h"
#include "report/table.h"

namespace berth::experiments {
namespace {

constexpr auto kRight = report::Table::Align::right;

using Figure = std::optional<double> LearningResult::*;

class Results {
 public:
  explicit Results(const std::vector<LearningRecord>& records) : records_(records) {}

  // Of all seeds.
  std::vector<LearningResult> of(const LearningProblem& problem, const LearningArm& arm) const {
    std::vector<LearningResult> found;
    for (const LearningRecord& record : records_) {
      if (record.cell.problem == &problem && record.cell.arm == &arm) {
        found.push_back(record.result);
      }
    }
    return found;
  }

  // The mean over seeds; none when a seed has no such figure.
  std::optional<double> mean(const LearningProblem& problem, const LearningArm& arm,
                             Figure figure) const {
    std::vector<double> values;
    for (const LearningResult& result : of(problem, arm)) {
      if (!(result.*figure)) return std::nullopt;
      values.push_back(*(result.*figure));
    }
    if (values.empty()) return std::nullopt;
    return interval_of(values).mean;
  }

  // The shortest step that any arm has found.
  std::optional<double> best(const LearningProblem& problem) const {
    std::optional<double> best;
    for (const LearningRecord& record : records_) {
      if (record.cell.problem != &problem || !record.result.step) continue;
      best = std::min(best.value_or(*record.result.step), *record.result.step);
    }
    return best;
  }

  std::optional<double> bound(const LearningProblem& problem) const {
    std::optional<double> bound;
    for (const LearningRecord& record : records_) {
      if (record.cell.problem != &problem || !record.result.bound) continue;
      bound = std::max(bound.value_or(0), *record.result.bound);
    }
    return bound;
  }

 private:
  const std::vector<LearningRecord>& records_;
};

std::string seconds_text(const std::optional<double>& seconds) {
  return seconds ? format_seconds(*seconds) : "-";
}

// What the arm stands for: a policy by its own greedy plan, never by the best plan it happened to
// draw or to begin with; anything else by the plan that it returns.
Figure own_figure(const std::vector<LearningResult>& results) {
  const bool learned = !results.empty() && results.front().last_fitting.has_value();
  return learned ? &LearningResult::greedy : &LearningResult::step;
}

// The last samples against the first, over seeds.
std::string change_text(const std::vector<LearningResult>& results) {
  std::vector<double> ratios;
  for (const LearningResult& result : results) {
    if (result.first_mean && result.last_mean) {
      ratios.push_back(*result.last_mean / *result.first_mean);
    }
  }
  return ratios.empty() ? "" : format_change(geometric_interval_of(ratios));
}

std::string fitting_text(const std::vector<LearningResult>& results) {
  std::vector<double> shares;
  for (const LearningResult& result : results) {
    if (result.last_fitting) shares.push_back(*result.last_fitting);
  }
  return shares.empty() ? "" : fmt::format("{:.0f}%", 100 * interval_of(shares).mean);
}

std::string zeros_text(const std::vector<LearningResult>& results) {
  std::int64_t most = 0;
  for (const LearningResult& result : results) most = std::max(most, result.zero_gradients);
  return results.empty() || !results.front().last_fitting ? "" : fmt::format("{}", most);
}

std::string near_text(const std::vector<LearningResult>& results, Figure figure, double best) {
  constexpr double kNear = 1.05;
  std::size_t near = 0;
  for (const LearningResult& result : results) {
    if (result.*figure && *(result.*figure) <= kNear * best) ++near;
  }
  return fmt::format("{}/{}", near, results.size());
}

std::string problem_table(const LearningPart& part, const LearningProblem& problem,
                          const Results& results, report::Ink ink) {
  const std::optional<double> best = results.best(problem);
  if (!best) return "";
  report::Table table({{problem.name},
                       {"first 200", kRight},
                       {"last 200", kRight},
                       {"change", kRight},
                       {"greedy", kRight},
                       {"of best", kRight},
                       {"near", kRight},
                       {"fit", kRight},
                       {"0-grad", kRight}},
                      ink);
  for (const LearningArm& arm : part.arms) {
    const std::vector<LearningResult> of = results.of(problem, arm);
    if (of.empty()) continue;
    const Figure figure = own_figure(of);
    const std::optional<double> own = results.mean(problem, arm, figure);
    table.add_row({arm.name,
                   of.front().last_fitting
                       ? seconds_text(results.mean(problem, arm, &LearningResult::first_mean))
                       : "",
                   of.front().last_fitting
                       ? seconds_text(results.mean(problem, arm, &LearningResult::last_mean))
                       : "",
                   change_text(of), seconds_text(own),
                   own ? fmt::format("{:.3f}", *own / *best) : "-", near_text(of, figure, *best),
                   fitting_text(of), zeros_text(of)});
  }
  const std::string about = fmt::format("{} on {}, {:.0f} evaluations; best {}, lower bound {}",
                                        problem.workload, problem.cluster, problem.evaluations,
                                        seconds_text(best), seconds_text(results.bound(problem)));
  return '\n' + report::wrap_text(about, report::kPageColumns, 0) + table.to_text();
}

const LearningArm* find_arm(const LearningPart& part, const std::string& name) {
  const auto found = std::ranges::find(part.arms, name, &LearningArm::name);
  return found == part.arms.end() ? nullptr : &*found;
}

// Of one arm over another: by problem the mean over seeds, then over problems, so that the interval
// says what to expect of another problem.
Interval over(const LearningPart& part, const Results& results, const LearningArm& arm,
              const LearningArm& base, const std::function<Figure(bool)>& figure_of) {
  std::vector<double> ratios;
  for (const LearningProblem& problem : part.problems) {
    const auto of = results.of(problem, arm);
    const auto against = results.of(problem, base);
    if (of.empty() || against.empty()) continue;
    const auto left = results.mean(problem, arm, figure_of(of.front().last_fitting.has_value()));
    const auto right =
        results.mean(problem, base, figure_of(against.front().last_fitting.has_value()));
    if (left && right) ratios.push_back(*left / *right);
  }
  return geometric_interval_of(ratios);
}

std::string variants_table(const LearningPart& part, const Results& results, report::Ink ink) {
  report::Table table({{"arm"},
                       {"against"},
                       {"greedy plan", kRight},
                       {"mean of samples", kRight},
                       {"problems", kRight}},
                      ink);
  const auto greedy = [](bool learned) {
    return learned ? &LearningResult::greedy : &LearningResult::step;
  };
  const auto mean = [](bool) { return &LearningResult::last_mean; };
  for (const LearningArm& arm : part.arms) {
    const LearningArm* const base = find_arm(part, arm.of);
    if (!base) continue;
    const Interval by_greedy = over(part, results, arm, *base, greedy);
    if (by_greedy.count == 0) continue;
    table.add_row({arm.name, base->name, format_change(by_greedy),
                   format_change(over(part, results, arm, *base, mean)),
                   fmt::format("{}", by_greedy.count)});
  }
  return table.row_count() == 0 ? "" : '\n' + table.to_text();
}

// Those that never were as good as the expert count with all they had.
std::optional<double> mean_to_expert(const std::vector<LearningResult>& of) {
  if (of.empty()) return std::nullopt;
  std::vector<double> counts;
  for (const LearningResult& result : of) {
    counts.push_back(result.to_expert.value_or(result.evaluations));
  }
  return interval_of(counts).mean;
}

// How soon every arm's samples were as good as the expert's plan, and against its base.
std::string experts_table(const LearningPart& part, const Results& results, report::Ink ink) {
  std::vector<report::Table::Column> columns = {{"evaluations to the expert's step"}};
  for (const LearningProblem& problem : part.problems) columns.push_back({problem.name, kRight});
  columns.push_back({"against base", kRight});
  report::Table table(std::move(columns), ink);
  for (const LearningArm& arm : part.arms) {
    std::vector<std::string> row = {arm.name};
    std::vector<double> ratios;
    const LearningArm* const base = find_arm(part, arm.of);
    bool learned = false;
    for (const LearningProblem& problem : part.problems) {
      const auto of = results.of(problem, arm);
      learned = learned || (!of.empty() && of.front().last_fitting);
      const auto mean = mean_to_expert(of);
      const auto reached =
          std::ranges::count_if(of, [](const auto& one) { return one.to_expert.has_value(); });
      row.push_back(mean ? fmt::format("{:.0f} {}/{}", *mean, reached, of.size()) : "-");
      const auto other = base ? mean_to_expert(results.of(problem, *base)) : std::nullopt;
      if (mean && other) ratios.push_back(*mean / *other);
    }
    if (!learned) continue;
    row.push_back(ratios.empty() ? "" : format_change(geometric_interval_of(ratios)));
    table.add_row(std::move(row));
  }
  return table.row_count() == 0 ? "" : '\n' + table.to_text();
}

}  // namespace

std::string learning_tables(const LearningPart& part, const std::vector<LearningRecord>& records,
                            std::size_t cells, report::Ink ink) {
  const Results results(records);
  std::string text = ink.bold(part.title) + '\n';
  for (const LearningProblem& problem : part.problems) {
    text += problem_table(part, problem, results, ink);
  }
  text += variants_table(part, results, ink);
  if (part.against_expert) text += experts_table(part, results, ink);
  text += '\n' +
          report::wrap_text(
              fmt::format(
                  "first, last 200: mean step of the samples that fit, mean over seeds; change: of "
                  "that mean, with a 95% interval over seeds; greedy: the plan of the policy's "
                  "likeliest decisions, of other methods their plan, mean over seeds; of best: "
                  "over the best plan that any row has found; near: seeds within 5% of that; fit: "
                  "of the last 200 samples; 0-grad: longest run of updates without a gradient. "
                  "Arms against others: geometric means over problems, with a 95% interval over "
                  "problems.{}",
                  part.against_expert
                      ? " Evaluations to the expert's step: until the mean of 200 samples is at "
                        "most that step, mean over seeds; of how many seeds it ever was. A seed "
                        "that never was counts with all its evaluations."
                      : ""),
              report::kPageColumns, 0);
  if (records.size() < cells) {
    text += ink.caution(fmt::format("{} of {} runs are not done yet and are left out.\n",
                                    cells - records.size(), cells));
  }
  return text;
}

}  // namespace berth::experiments
