#include "cli/train_answer.h"

#include <fmt/format.h>

#include <cmath>

#include "base/json_writer.h"
#include "base/quantity.h"
#include "cli/learned_answer.h"
#include "report/table.h"

namespace berth::cli {
namespace {

std::size_t whole(double count) { return static_cast<std::size_t>(std::llround(count)); }

// The step of one case, or the geometric mean of several, where every case has the same weight
// whatever its size. Infinite where a plan has no route.
double typical_step(const place::Trained& trained) {
  if (trained.cases.size() == 1) return trained.cases.front().best.step_seconds;
  double logarithms = 0;
  for (const place::TrainedCase& one : trained.cases) logarithms += std::log(one.best.step_seconds);
  return std::exp(logarithms / static_cast<double>(trained.cases.size()));
}

// Short, for three of them stand in a row.
std::string step_cell(const Outcome& outcome, report::Ink ink) {
  if (!outcome.routable) return ink.bad("no route");
  const std::string step = format_seconds(outcome.step_seconds);
  return outcome.feasible ? step : step + ink.bad(" OOM");
}

void write_case(JsonWriter& json, const place::TrainedCase& one) {
  json.begin_object().field("model", one.model).field("cluster", one.cluster);
  json.field("step_seconds", one.best.step_seconds);
  json.field("feasible", one.best.feasible && one.best.routable);
  write_learned(json, one.learned);
  json.end_object();
}

}  // namespace

std::string training_line(const std::string& method, const place::TrainingProgress& progress,
                          std::string_view on_interrupt) {
  std::string best = "nothing yet";
  if (progress.best_step_seconds > 0) best = format_seconds(progress.best_step_seconds);
  if (!progress.best_feasible) best += " (does not fit yet)";
  const std::string mean =
      progress.mean_step_seconds > 0 ? format_seconds(progress.mean_step_seconds) : "-";
  const double pace = progress.seconds > 0 ? progress.evaluations / progress.seconds : 0;
  const std::string left =
      std::isfinite(progress.seconds_left) ? format_seconds(progress.seconds_left) + " left  " : "";
  // No bar: everything has to fit into the 80 columns of a small terminal.
  return fmt::format(
      "{} {:.0f}%  best {}  mean {}  entropy {:.2f}  {} evals, {:.0f}/s  {}(Ctrl-C {})", method,
      progress.fraction_done * 100, best, mean, progress.entropy,
      format_count(whole(progress.evaluations)), pace, left, on_interrupt);
}

std::string trained_text(const place::Trained& trained, report::Ink ink) {
  constexpr auto kRight = report::Table::Align::right;
  report::Table table({{"model"},
                       {"cluster"},
                       {"start", kRight},
                       {"best", kRight},
                       {"greedy", kRight},
                       {"sample mean", kRight},
                       {"fit", kRight}},
                      ink);
  for (const place::TrainedCase& one : trained.cases) {
    table.add_row({report::plain_name(one.model, 40), report::plain_name(one.cluster, 24),
                   step_cell(one.learned.start_outcome, ink), step_cell(one.best, ink),
                   step_cell(one.learned.greedy, ink), sample_mean_text(one.learned),
                   one.learned.samples > 0
                       ? report::format_percent(one.learned.sample_feasible_share)
                       : "-"});
  }
  return fmt::format("{}\n{}, {}, {}; {} parameters\n", table.to_text(),
                     report::format_number_of(whole(trained.evaluations), "evaluation"),
                     report::format_number_of(static_cast<std::size_t>(trained.updates), "update"),
                     format_seconds(trained.train_seconds), format_count(trained.parameters));
}

std::string trained_json(const place::TrainingRequest& request, const place::Trained& trained) {
  JsonWriter json;
  json.begin_object().field("method", request.method).field("seed", request.seed);
  json.field("budget", format_budget(request.budget)).field("step_seconds", typical_step(trained));
  json.field("evaluations", trained.evaluations).field("updates", trained.updates);
  json.field("train_seconds", trained.train_seconds).field("interrupted", trained.interrupted);
  json.field("parameters", trained.parameters);
  json.field("policy", request.policy_path).field("curve", request.curve_path);
  json.key("cases").begin_array();
  for (const place::TrainedCase& one : trained.cases) write_case(json, one);
  json.end_array().end_object();
  return json.take();
}

}  // namespace berth::cli
