// The part of lint that tries every single move.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/interrupt.h"
#include "base/units.h"
#include "place/judge.h"
#include "report/lint.h"
#include "report/text.h"
#include "sim/simulator.h"

namespace berth {
namespace {

// Below this an improvement is noise to a reader.
constexpr double kSmallestGain = 0.001;

struct Move {
  GroupId group;
  DeviceId device;
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

// Ops of a fused group move together or not at all, so groups that hold one stay.
std::vector<char> fused_ops(const Analysis& analysis) {
  std::vector<char> fused(analysis.problem->op_count(), 0);
  for (const auto& group : analysis.plan->fused) {
    for (const OpId op : group) fused[op.index()] = 1;
  }
  return fused;
}

std::vector<Move> scan(const Analysis& analysis, double seconds) {
  const Problem& problem = *analysis.problem;
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  const std::vector<char> fused = fused_ops(analysis);
  Simulator simulator(problem);
  Plan plan = *analysis.plan;
  std::vector<Move> moves;
  for (const GroupId group : promising_groups(analysis)) {
    const auto members = problem.members(group);
    if (std::any_of(members.begin(), members.end(),
                    [&](OpId op) { return fused[op.index()] != 0; }))
      continue;
    const DeviceId home = plan.placement[members.front().index()];
    for (const DeviceId device : problem.allowed_devices(group)) {
      if (device == home) continue;
      if (std::chrono::steady_clock::now() >= end || Interrupt::requested()) return moves;
      for (const OpId op : members) plan.placement[op.index()] = device;
      const Outcome& outcome = simulator.evaluate(plan);
      if (better(outcome, analysis.outcome())) moves.push_back({group, device, outcome});
    }
    for (const OpId op : members) plan.placement[op.index()] = home;
  }
  return moves;
}

std::string sentence(const Analysis& analysis, const Move& move) {
  const Problem& problem = *analysis.problem;
  const auto members = problem.members(move.group);
  const OpId first = members.front();
  std::string what = plain_name(problem.graph().op_name(first), 50);
  if (members.size() > 1) {
    what += fmt::format(" (with {} colocated)", format_number_of(members.size() - 1, "op"));
  }
  const std::string to = plain_name(problem.cluster().device(move.device).name, 32);
  if (!analysis.outcome().feasible) {
    return fmt::format("Moving {} to {} would leave {} over memory instead of {}.", what, to,
                       format_bytes(move.outcome.over_bytes),
                       format_bytes(analysis.outcome().over_bytes));
  }
  const double gain = 1 - move.outcome.step_seconds / analysis.outcome().step_seconds;
  return fmt::format("Moving {} to {} alone would shorten the step by {}, to {}.", what, to,
                     format_percent(gain), format_seconds(move.outcome.step_seconds));
}

}  // namespace

std::vector<std::string> improving_moves(const Analysis& analysis, const LintOptions& options) {
  std::vector<Move> moves = scan(analysis, options.scan_seconds);
  if (analysis.outcome().feasible) {
    const double enough = analysis.outcome().step_seconds * (1 - kSmallestGain);
    std::erase_if(moves, [&](const Move& move) { return move.outcome.step_seconds > enough; });
  }
  std::stable_sort(moves.begin(), moves.end(), [](const Move& left, const Move& right) {
    return better(left.outcome, right.outcome);
  });
  // One move a group: the others of the same group are no further advice.
  std::vector<std::string> sentences;
  std::vector<GroupId> named;
  for (const Move& move : moves) {
    if (sentences.size() == options.most_moves) break;
    if (std::find(named.begin(), named.end(), move.group) != named.end()) continue;
    named.push_back(move.group);
    sentences.push_back(sentence(analysis, move));
  }
  return sentences;
}

}  // namespace berth
