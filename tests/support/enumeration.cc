#include "support/enumeration.h"

#include <algorithm>
#include <limits>

#include "sim/simulator.h"

namespace berth {

double shortest_step(const Problem& problem) {
  Simulator simulator(problem);
  Plan plan;
  plan.placement.resize(problem.op_count());
  std::vector<std::size_t> choice(problem.group_count(), 0);
  double shortest = std::numeric_limits<double>::infinity();
  for (;;) {
    for (std::size_t op = 0; op < problem.op_count(); ++op) {
      const GroupId group = problem.group(OpId(op));
      plan.placement[op] = problem.allowed_devices(group)[choice[group.index()]];
    }
    const Outcome& outcome = simulator.evaluate(plan);
    if (outcome.routable && outcome.feasible) shortest = std::min(shortest, outcome.step_seconds);
    std::size_t g = 0;
    while (g < choice.size() && ++choice[g] == problem.allowed_devices(GroupId(g)).size()) {
      choice[g++] = 0;
    }
    if (g == choice.size()) return shortest;
  }
}

}  // namespace berth
