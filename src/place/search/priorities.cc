#include "place/search/priorities.h"

#include <algorithm>

namespace berth::place {
namespace {

// The longest of `after(next)` over the ops that wait for `op`, with the transfer to them.
template <class After>
double longest_after(const Problem& problem, const Plan& plan, OpId op, const After& after) {
  const Graph& graph = problem.graph();
  const DeviceId here = plan.placement[op.index()];
  double longest = 0;
  for (const OpId next : graph.successors(op)) longest = std::max(longest, after(next));
  for (std::size_t k = 0; k < graph.output_count(op); ++k) {
    const TensorId tensor = graph.output(op, k);
    for (const OpId next : graph.consumers(tensor)) {
      const DeviceId there = plan.placement[next.index()];
      if (there == here || !problem.cluster().route(here, there).exists()) continue;
      const double travel = problem.cluster().transfer_seconds(here, there, graph.bytes(tensor));
      longest = std::max(longest, travel + after(next));
    }
  }
  return longest;
}

}  // namespace

std::vector<double> priorities_by_way_to_end(const Problem& problem, const Plan& plan) {
  std::vector<double> way(problem.op_count(), 0);
  const auto order = problem.graph().topological_order();
  for (auto op = order.rbegin(); op != order.rend(); ++op) {
    way[op->index()] =
        problem.seconds(*op, plan.placement[op->index()]) +
        longest_after(problem, plan, *op, [&](OpId next) { return way[next.index()]; });
  }
  return way;
}

// Backwards through the step: an op must leave enough time for the ops that wait for it and for the
// ops that its device ran after it.
std::vector<double> priorities_by_timeline(const Problem& problem, const Plan& plan,
                                           const Timeline& timeline) {
  std::vector<double> way(problem.op_count(), 0);  // from the latest start to the end of the step
  std::vector<double> next_on(problem.device_count(), 0);
  for (auto run = timeline.ops.rbegin(); run != timeline.ops.rend(); ++run) {
    double& next = next_on[run->device.index()];
    const double after =
        longest_after(problem, plan, run->op, [&](OpId op) { return way[op.index()]; });
    next = std::max(next, after) + run->end_seconds - run->start_seconds;
    way[run->op.index()] = next;
  }
  return way;
}

}  // namespace berth::place
