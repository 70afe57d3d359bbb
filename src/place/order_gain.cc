#include "place/order_gain.h"

#include <algorithm>

#include "place/search/priorities.h"
#include "sim/simulator.h"

namespace berth::place {

double step_with_order(const Problem& problem, const Plan& plan, const Timeline& timeline) {
  double step_seconds = timeline.outcome.step_seconds;
  Simulator simulator(problem);
  Plan ordered = plan;
  const auto consider = [&](std::vector<double> priorities) {
    ordered.priority = std::move(priorities);
    const Outcome& outcome = simulator.evaluate(ordered);
    if (outcome.feasible) step_seconds = std::min(step_seconds, outcome.step_seconds);
  };
  consider(priorities_by_way_to_end(problem, plan));
  consider(priorities_by_timeline(problem, plan, timeline));
  return step_seconds;
}

}  // namespace berth::place
