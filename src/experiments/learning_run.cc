#include "experiments/learning_run.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "base/error.h"
#include "base/file.h"
#include "experiments/subject.h"
#include "place/learned/module.h"
#include "sim/simulator.h"

namespace berth::experiments {
namespace {

namespace fs = std::filesystem;

std::optional<double> step_of(const Outcome& outcome) {
  if (!outcome.routable || !outcome.feasible) return std::nullopt;
  return outcome.step_seconds;
}

std::string path_of(const std::string& folder, const LearningCell& cell, const char* ending) {
  return (fs::path(folder) / (cell.file_name() + ending)).string();
}

// None without an expert, or where its plan does not fit.
std::optional<double> expert_step(const Subject& subject) {
  if (!subject.expert()) return std::nullopt;
  Simulator simulator(subject.problem());
  return step_of(simulator.evaluate(*subject.expert()));
}

void add_learned(const place::Learned& learned, const std::string& curve,
                 std::optional<double> expert_step, LearningResult& result) {
  result.greedy = step_of(learned.greedy);
  if (learned.sample_mean_seconds > 0) result.last_mean = learned.sample_mean_seconds;
  result.last_fitting = learned.sample_feasible_share;
  result.updates = learned.updates;
  const InputFile file(curve);
  read_curve(file.text(), curve, expert_step, result);
}

// None when it was cut short.
std::optional<LearningResult> run_cell(const LearningCell& cell, Subject& subject,
                                       const std::string& folder, const std::string& heading) {
  const place::Request request = subject.request({.evaluations = cell.evaluations()}, cell.seed);
  const place::Method method = place::parse_method(cell.method());
  const std::string curve = path_of(folder, cell, ".jsonl");
  LearningResult result;
  const Measured measured =
      subject.run_task(heading + ' ' + cell.arm->name, request, [&](const place::Request& asked) {
        if (!method.placer->learned) return method.place(subject.problem(), asked);
        return place::learn_module().place(subject.problem(), asked, method.options.canonical(),
                                           curve);
      });
  if (measured.placed.interrupted) return std::nullopt;
  result.step = step_of(measured.placed.outcome);
  result.bound = subject.bound({}, measured.placed).seconds;
  result.evaluations = measured.placed.evaluations;
  result.seconds = measured.seconds;
  if (measured.placed.learned) {
    add_learned(*measured.placed.learned, curve, expert_step(subject), result);
  }
  return result;
}

}  // namespace

void run_learning(const LearningOptions& options, const Observer& observer) {
  std::error_code error;
  fs::create_directories(options.folder, error);
  if (error) {
    throw InputError(
        fmt::format("cannot make the folder {}: {}", quoted(options.folder), error.message()),
        {.subject = "folder", .place = options.folder});
  }
  std::map<const LearningProblem*, Subject> subjects;
  for (std::size_t i = 0; i < options.cells.size() && !observer.stop.requested(); ++i) {
    const LearningCell& cell = options.cells[i];
    const std::string path = path_of(options.folder, cell, ".json");
    if (i % options.shares != options.share || fs::exists(path)) continue;
    Subject& subject =
        subjects.try_emplace(cell.problem, cell.problem->workload, cell.problem->cluster, observer)
            .first->second;
    try {
      const auto result = run_cell(cell, subject, options.folder,
                                   fmt::format("[{}/{}] {} seed {}", i + 1, options.cells.size(),
                                               cell.problem->name, cell.seed));
      if (result) write_file(path, learning_result_json(cell, *result));
    } catch (const InputError& refused) {
      if (refused.code() != ErrorCode::does_not_apply) throw;
      write_file(path, learning_result_json(cell, {}));  // as one that found nothing
    }
  }
}

std::vector<LearningRecord> read_learning(const std::string& folder,
                                          const std::vector<LearningCell>& cells) {
  std::vector<LearningRecord> records;
  for (const LearningCell& cell : cells) {
    const std::string path = path_of(folder, cell, ".json");
    if (!fs::exists(path)) continue;
    const InputFile file(path);
    records.push_back({cell, parse_learning_result(file.text(), path)});
  }
  return records;
}

}  // namespace berth::experiments
