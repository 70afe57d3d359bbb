// The part of lint that tries every single move.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/quantity.h"
#include "place/evaluator.h"
#include "report/lint.h"
#include "report/relocation.h"
#include "report/text.h"

namespace berth::report {
namespace {

struct Trial {
  Move move;
  Outcome outcome;
};

// Groups in the order in which a move is most likely to help, each once.
std::vector<GroupId> promising_groups(const Analysis& analysis) {
  const Problem& problem = *analysis.problem;
  std::vector<GroupId> order;
  std::vector<char> seen(problem.group_count(), 0);
  const auto add = [&](OpId op) {
    const GroupId group = problem.group(op);
    if (seen[group.index()]) return;
    seen[group.index()] = 1;
    order.push_back(group);
  };
  for (const CriticalStep& step : analysis.critical_path.steps) add(step.op);
  for (const Timeline::Transfer& transfer : analysis.timeline.transfers) {
    for (const OpId op : problem.graph().consumers(transfer.tensor)) {
      if (analysis.plan->placement[op.index()] == transfer.to) add(op);
    }
    add(problem.graph().producer(transfer.tensor));
  }
  for (std::size_t op = 0; op < problem.op_count(); ++op) add(OpId(op));
  return order;
}

std::vector<Trial> scan(const Analysis& analysis, const LintOptions& options) {
  const auto end =
      std::chrono::steady_clock::now() + std::chrono::duration<double>(options.scan_seconds / 2);
  Relocation relocation(analysis);
  std::vector<Trial> helpful;
  for (const GroupId group : promising_groups(analysis)) {
    for (const DeviceId device : analysis.problem->allowed_devices(group)) {
      const Move move{group, device};
      if (!relocation.can_move(move)) continue;
      if (std::chrono::steady_clock::now() >= end || options.stop.requested()) return helpful;
      const Outcome& outcome = relocation.with({&move, 1});
      if (place::better(outcome, analysis.outcome())) helpful.push_back({move, outcome});
    }
  }
  return helpful;
}

// Whether enough of the step is saved or, where the plan does not fit, of the bytes over.
bool is_worth_telling(const Outcome& before, const Outcome& after) {
  if (!before.feasible) {
    return static_cast<double>(after.over_bytes) <=
           static_cast<double>(before.over_bytes) * (1 - kSmallestGain);
  }
  return after.step_seconds <= before.step_seconds * (1 - kSmallestGain);
}

std::string sentence(const Analysis& analysis, const Trial& trial) {
  const Problem& problem = *analysis.problem;
  const auto members = problem.members(trial.move.group);
  const OpId first = members.front();
  std::string what = plain_name(problem.graph().op_name(first), 50);
  if (members.size() > 1) {
    what += fmt::format(" (with {} colocated)", format_number_of(members.size() - 1, "op"));
  }
  const std::string to = plain_name(problem.cluster().device(trial.move.device).name, 32);
  if (!analysis.outcome().feasible) {
    return fmt::format("Moving {} to {} would leave {} over memory instead of {}.", what, to,
                       format_bytes(trial.outcome.over_bytes),
                       format_bytes(analysis.outcome().over_bytes));
  }
  const double gain = 1 - trial.outcome.step_seconds / analysis.outcome().step_seconds;
  return fmt::format("Moving {} to {} alone would shorten the step by {}, to {}.", what, to,
                     format_percent(gain), format_seconds(trial.outcome.step_seconds));
}

}  // namespace

std::vector<std::string> improving_moves(const Analysis& analysis, const LintOptions& options) {
  std::vector<Trial> trials = scan(analysis, options);
  std::erase_if(trials, [&](const Trial& trial) {
    return !is_worth_telling(analysis.outcome(), trial.outcome);
  });
  std::stable_sort(trials.begin(), trials.end(), [](const Trial& left, const Trial& right) {
    return place::better(left.outcome, right.outcome);
  });
  // One move per group: further moves of the same group are no further advice.
  std::vector<std::string> sentences;
  std::vector<GroupId> named;
  for (const Trial& trial : trials) {
    if (sentences.size() == options.most_moves) break;
    if (std::find(named.begin(), named.end(), trial.move.group) != named.end()) continue;
    named.push_back(trial.move.group);
    sentences.push_back(sentence(analysis, trial));
  }
  return sentences;
}

}  // namespace berth::report
