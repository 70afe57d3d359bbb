#include "support/enumeration.h"

#include <algorithm>
#include <numeric>

#include "sim/simulator.h"

namespace berth {

void for_each_placement(const Problem& problem, const std::function<void(Plan&)>& visit) {
  Plan plan;
  plan.placement.assign(problem.op_count(), DeviceId(0));
  std::vector<std::size_t> digits(problem.group_count(), 0);
  for (;;) {
    for (std::size_t i = 0; i < problem.op_count(); ++i) {
      const GroupId group = problem.group(OpId(i));
      plan.placement[i] = problem.allowed_devices(group)[digits[group.index()]];
    }
    visit(plan);
    std::size_t g = 0;
    while (g < digits.size() && ++digits[g] == problem.allowed_devices(GroupId(g)).size()) {
      digits[g++] = 0;
    }
    if (g == digits.size()) return;
  }
}

void for_each_order(Plan& plan, const std::function<bool(const Plan&)>& visit) {
  plan.priority.resize(plan.placement.size());
  std::iota(plan.priority.begin(), plan.priority.end(), 0.0);
  do {
    if (!visit(plan)) break;
  } while (std::next_permutation(plan.priority.begin(), plan.priority.end()));
  plan.priority.clear();
}

double shortest_step(const Problem& problem, Tasks tasks) {
  Simulator simulator(problem);
  double best = std::numeric_limits<double>::infinity();
  const auto try_plan = [&](const Plan& plan) {
    const Outcome& outcome = simulator.evaluate(plan);
    if (outcome.routable && outcome.feasible) best = std::min(best, outcome.step_seconds);
    return outcome.routable;
  };
  for_each_placement(problem, [&](Plan& plan) {
    tasks.schedule ? for_each_order(plan, try_plan) : static_cast<void>(try_plan(plan));
  });
  return best;
}

}  // namespace berth
