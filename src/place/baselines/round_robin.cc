#include "place/baselines/round_robin.h"

#include "place/groups/free_ops.h"
#include "place/remarks.h"
#include "place/repair/memory_repair.h"
#include "place/repair/route_repair.h"

namespace berth::place {
namespace {

class Dealer {
 public:
  Dealer(const Problem& problem, const GroupCosts& costs)
      : problem_(problem),
        costs_(costs),
        targets_(devices_to_spread_over(problem, /*include_cpus=*/false)),
        devices_(problem.group_count()) {}

  GroupDevices deal() && {
    FreeOps free_ops(problem_);
    std::vector<DeviceId> placement(problem_.op_count());  // for FreeOps: what is placed
    std::vector<OpId> missing;
    for (const OpId op : problem_.graph().topological_order()) {
      if (free_ops.contains(op)) continue;
      DeviceId& device = devices_[problem_.group(op).index()];
      if (!device.valid()) device = next_in_turn(problem_.group(op));
      free_ops.collect_missing(op, placement, missing);
      for (const OpId before : missing) {
        follow(problem_.group(before), device);
        placement[before.index()] = device;
      }
    }
    // Groups that nothing reads.
    for (std::size_t group = 0; group < devices_.size(); ++group) {
      if (!devices_[group].valid()) devices_[group] = next_in_turn(GroupId(group));
    }
    return std::move(devices_);
  }

 private:
  DeviceId next_in_turn(GroupId group) {
    for (std::size_t step = 0; step < targets_.size(); ++step) {
      const std::size_t position = (turn_ + step) % targets_.size();
      if (!is_allowed(problem_, group, targets_[position])) continue;
      turn_ = position + 1;
      return targets_[position];
    }
    return fastest_allowed(problem_, costs_, group);
  }

  void follow(GroupId group, DeviceId device) {
    DeviceId& chosen = devices_[group.index()];
    if (chosen.valid()) return;
    chosen =
        is_allowed(problem_, group, device) ? device : fastest_allowed(problem_, costs_, group);
  }

  const Problem& problem_;
  const GroupCosts& costs_;
  std::vector<DeviceId> targets_;
  std::size_t turn_ = 0;
  GroupDevices devices_;
};

Placed place_in_turn(const Problem& problem, const Request& request, const Options&) {
  Evaluator evaluator(problem, request);
  const GroupCosts costs(problem);
  GroupDevices devices = Dealer(problem, costs).deal();
  const bool routed = fully_routed(problem.cluster());
  if (!routed) repair_routes(problem, GroupGraph(problem), devices);
  const Outcome raw = evaluator.consider(plan_of(problem, devices));
  Repair repair = Repair::not_tried;
  if (raw.routable && !raw.feasible && !evaluator.exhausted()) {
    const GroupGraph graph(problem);
    const bool fits = repair_memory({problem, graph, costs}, evaluator, std::move(devices), raw);
    repair = fits ? Repair::worked : Repair::failed;
  }
  return evaluator.finish(
      remark_on_repair("the plan assigned in turn", raw, repair, evaluator.best_outcome()));
}

}  // namespace

Placer round_robin_placer() {
  return {.name = "round_robin",
          .summary = "groups in topological order, assigned to the accelerators in turn",
          .reference = "",
          .options = {},
          .place = place_in_turn};
}

}  // namespace berth::place
