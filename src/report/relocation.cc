#include "report/relocation.h"

#include <algorithm>

namespace berth::report {

Relocation::Relocation(const Analysis& analysis)
    : analysis_(analysis),
      simulator_(*analysis.problem),
      plan_(*analysis.plan),
      fused_(analysis.problem->op_count(), 0) {
  for (const auto& group : analysis.plan->fused) {
    for (const OpId op : group) fused_[op.index()] = 1;
  }
}

DeviceId Relocation::home(GroupId group) const {
  return analysis_.plan->placement[analysis_.problem->members(group).front().index()];
}

bool Relocation::can_move(const Move& move) const {
  const Problem& problem = *analysis_.problem;
  const auto members = problem.members(move.group);
  return move.device != home(move.group) && problem.allowed(members.front(), move.device) &&
         std::none_of(members.begin(), members.end(),
                      [&](OpId op) { return fused_[op.index()] != 0; });
}

const Outcome& Relocation::with(std::span<const Move> moves) {
  for (const Move& move : moves) put(move.group, move.device);
  const Outcome& outcome = simulator_.evaluate(plan_);
  for (const Move& move : moves) put(move.group, home(move.group));
  return outcome;
}

double Relocation::gain(const Outcome& outcome) const {
  const double step = analysis_.outcome().step_seconds;
  if (!outcome.routable || !outcome.feasible || step <= 0) return 0;
  return 1 - outcome.step_seconds / step;
}

void Relocation::put(GroupId group, DeviceId device) {
  for (const OpId op : analysis_.problem->members(group)) plan_.placement[op.index()] = device;
}

}  // namespace berth::report
