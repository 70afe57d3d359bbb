#include "place/groups/group_devices.h"

#include <algorithm>

#include "place/repair/route_islands.h"

namespace berth::place {
namespace {

std::vector<std::uint8_t> devices_in_use(const Problem& problem) {
  std::vector<std::uint8_t> used(problem.device_count(), 0);
  std::vector<std::uint8_t> set_seen(problem.device_set_count(), 0);
  for (std::size_t index = 0; index < problem.group_count(); ++index) {
    const GroupId group(index);
    std::uint8_t& seen = set_seen[problem.device_set(group)];
    if (seen != 0) continue;
    seen = 1;
    for (const DeviceId device : problem.allowed_devices(group)) used[device.index()] = 1;
  }
  return used;
}

std::vector<DeviceId> common(const std::vector<DeviceId>& left,
                             const std::vector<DeviceId>& right) {
  std::vector<DeviceId> both;
  std::set_intersection(left.begin(), left.end(), right.begin(), right.end(),
                        std::back_inserter(both));
  return both;
}

}  // namespace

Plan plan_of(const Problem& problem, const GroupDevices& devices) {
  Plan plan;
  plan.placement.resize(problem.op_count());
  for (std::size_t op = 0; op < plan.placement.size(); ++op) {
    plan.placement[op] = devices[problem.group(OpId(op)).index()];
  }
  return plan;
}

bool is_allowed(const Problem& problem, GroupId group, DeviceId device) {
  return problem.allowed(problem.members(group).front(), device);
}

bool fully_routed(const Cluster& cluster) {
  return route_islands(cluster).front().size() == cluster.device_count();
}

std::vector<DeviceId> devices_to_spread_over(const Problem& problem, bool include_cpus) {
  const std::vector<std::uint8_t> used = devices_in_use(problem);
  std::vector<DeviceId> all, accelerators;
  for (std::size_t index = 0; index < problem.device_count(); ++index) {
    if (used[index] == 0) continue;
    all.emplace_back(index);
    if (problem.cluster().device(DeviceId(index)).kind != "cpu") accelerators.emplace_back(index);
  }
  const std::vector<DeviceId>& wanted = include_cpus || accelerators.empty() ? all : accelerators;
  std::vector<DeviceId> largest;
  for (const std::vector<DeviceId>& island : route_islands(problem.cluster())) {
    std::vector<DeviceId> candidate = common(wanted, island);
    if (candidate.size() > largest.size()) largest = std::move(candidate);
  }
  return largest.empty() ? wanted : largest;
}

DeviceId fastest_allowed(const Problem& problem, const GroupCosts& costs, GroupId group) {
  const std::span<const DeviceId> allowed = problem.allowed_devices(group);
  return *std::min_element(allowed.begin(), allowed.end(), [&](DeviceId left, DeviceId right) {
    return costs.seconds(group, left) < costs.seconds(group, right);
  });
}

}  // namespace berth::place
