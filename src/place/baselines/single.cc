#include "place/baselines/single.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/error.h"
#include "place/groups/group_devices.h"
#include "place/remarks.h"
#include "place/repair/route_repair.h"

namespace berth::place {
namespace {

GroupDevices all_on(const Problem& problem, const GroupCosts& costs, DeviceId device) {
  GroupDevices devices(problem.group_count());
  for (std::size_t index = 0; index < devices.size(); ++index) {
    const GroupId group(index);
    devices[index] =
        is_allowed(problem, group, device) ? device : fastest_allowed(problem, costs, group);
  }
  return devices;
}

double total_seconds(const GroupCosts& costs, const GroupDevices& devices) {
  double sum = 0;
  for (std::size_t index = 0; index < devices.size(); ++index) {
    sum += costs.seconds(GroupId(index), devices[index]);
  }
  return sum;
}

bool interchangeable(const Problem& problem, DeviceId left, DeviceId right) {
  return problem.device_class(left) == problem.device_class(right) &&
         problem.usable_bytes(left) == problem.usable_bytes(right) &&
         problem.cluster().device(left).slots == problem.cluster().device(right).slots;
}

// Keeps the first of equal devices. Only where every op may run everywhere: otherwise devices
// differ in which ops have to go elsewhere and in the links to there.
void drop_repetitions(const Problem& problem, std::vector<DeviceId>& devices) {
  const bool unrestricted = problem.device_set_count() == 1 &&
                            problem.allowed_devices(GroupId(0)).size() == problem.device_count();
  if (!unrestricted) return;
  std::vector<DeviceId> distinct;
  for (const DeviceId device : devices) {
    const bool known = std::ranges::any_of(
        distinct, [&](DeviceId earlier) { return interchangeable(problem, earlier, device); });
    if (!known) distinct.push_back(device);
  }
  devices = std::move(distinct);
}

std::vector<DeviceId> devices_called(const Cluster& cluster, const std::string& label) {
  std::vector<DeviceId> devices;
  std::set<std::string> labels;
  for (std::size_t index = 0; index < cluster.device_count(); ++index) {
    const Device& device = cluster.device(DeviceId(index));
    if (label.empty() || device.answers_to(label)) devices.emplace_back(index);
    labels.insert(device.kind);
    if (!device.model.empty()) labels.insert(device.model);
    labels.insert(device.name);
  }
  if (!devices.empty()) return devices;
  const std::vector<std::string> known(labels.begin(), labels.end());
  throw InputError(fmt::format(
      "single: no device of cluster {} has the kind, model or name {}; known are {}{}",
      quoted(cluster.name()), quoted(label), join_names(known), did_you_mean(label, known)));
}

Placed place_on_one(const Problem& problem, const Request& request, const Options& options) {
  Evaluator evaluator(problem, request);
  consider_each_alone(problem, evaluator, devices_called(problem.cluster(), options.text("kind")));
  return evaluator.finish(remark_on(evaluator.best_outcome()));
}

}  // namespace

void consider_each_alone(const Problem& problem, Evaluator& evaluator,
                         std::vector<DeviceId> devices) {
  const GroupCosts costs(problem);
  if (problem.group_count() > 0) drop_repetitions(problem, devices);
  std::vector<double> seconds(problem.device_count(), 0);
  for (const DeviceId device : devices) {
    seconds[device.index()] = total_seconds(costs, all_on(problem, costs, device));
  }
  // The most promising first, in case the budget does not suffice for all.
  std::ranges::stable_sort(devices, [&](DeviceId left, DeviceId right) {
    return seconds[left.index()] < seconds[right.index()];
  });

  std::optional<GroupGraph> graph;
  if (!fully_routed(problem.cluster())) graph.emplace(problem);
  for (const DeviceId device : devices) {
    GroupDevices placed = all_on(problem, costs, device);
    if (graph) repair_routes(problem, *graph, placed);
    evaluator.consider(plan_of(problem, placed));
    if (evaluator.exhausted()) return;
  }
}

Placer single_placer() {
  return {.name = "single",
          .summary = "everything on one device, the fastest that holds it",
          .reference = "",
          .options = {{.name = "kind",
                       .type = OptionSpec::Type::text,
                       .default_value = "",
                       .sentence = "Only devices of that kind, model or name; empty for any."}},
          .place = place_on_one};
}

}  // namespace berth::place
