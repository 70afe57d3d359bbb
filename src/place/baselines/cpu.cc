#include "place/baselines/cpu.h"

#include "place/baselines/single.h"
#include "place/evaluator.h"
#include "place/groups/group_devices.h"
#include "place/remarks.h"
#include "place/repair/route_repair.h"

namespace berth::place {
namespace {

constexpr const char* kNoCpu =
    "the cluster has no device of kind cpu; every op is on its fastest allowed device";

std::vector<DeviceId> cpus(const Cluster& cluster) {
  std::vector<DeviceId> devices;
  for (std::size_t index = 0; index < cluster.device_count(); ++index) {
    if (cluster.device(DeviceId(index)).kind == "cpu") devices.emplace_back(index);
  }
  return devices;
}

void consider_fastest(const Problem& problem, Evaluator& evaluator) {
  const GroupCosts costs(problem);
  GroupDevices devices(problem.group_count());
  for (std::size_t group = 0; group < devices.size(); ++group) {
    devices[group] = fastest_allowed(problem, costs, GroupId(group));
  }
  if (!fully_routed(problem.cluster())) repair_routes(problem, GroupGraph(problem), devices);
  evaluator.consider(plan_of(problem, devices));
}

Placed place_on_cpu(const Problem& problem, const Request& request, const Options&) {
  Evaluator evaluator(problem, request);
  const std::vector<DeviceId> devices = cpus(problem.cluster());
  if (devices.empty()) {
    consider_fastest(problem, evaluator);
    return evaluator.finish(kNoCpu);
  }
  consider_each_alone(problem, evaluator, devices);
  return evaluator.finish(remark_on(evaluator.best_outcome()));
}

}  // namespace

Placer cpu_placer() {
  return {.name = "cpu",
          .summary = "every op that may run on the CPU runs there",
          .reference = "",
          .options = {},
          .place = place_on_cpu};
}

}  // namespace berth::place
