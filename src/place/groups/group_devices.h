// Small functions that placers which decide per colocation group share: which devices to spread
// over, the fastest device of a group, and from devices of groups to a plan.
#pragma once

#include <span>
#include <vector>

#include "place/groups/group_costs.h"
#include "place/groups/group_graph.h"
#include "plan/plan.h"

namespace berth::place {

using GroupDevices = std::vector<DeviceId>;  // the device of every group

Plan plan_of(const Problem& problem, const GroupDevices& devices);

bool is_allowed(const Problem& problem, GroupId group, DeviceId device);

// True when every pair of devices has a route, so that no placement can lack one.
bool fully_routed(const Cluster& cluster);

// The devices that a placer should spread work over: accelerators (every kind but "cpu"), or all
// devices when asked for or when there is no accelerator; only devices that some group may use; and
// if some pairs of these have no route, the largest set in which all have (route_islands.h).
// Ascending; empty only when the problem has no group.
std::vector<DeviceId> devices_to_spread_over(const Problem& problem, bool include_cpus);

// The allowed device where the group takes least time; ties: the lowest.
DeviceId fastest_allowed(const Problem& problem, const GroupCosts& costs, GroupId group);

}  // namespace berth::place
