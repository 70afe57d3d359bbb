// Colocation groups and the devices each may use, compiled from the graph's labels and the user's
// constraints. Groups are numbered by their lowest op. Groups that may use the same devices share
// one device set. O(ops + patterns x ops).
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "cluster/cluster.h"
#include "cost/constraints.h"
#include "graph/graph.h"

namespace berth {

struct Groups {
  std::vector<GroupId> of_op;
  Rows<OpId> members;                              // by group, ascending
  std::vector<std::uint32_t> device_sets;          // by group
  std::vector<std::vector<DeviceId>> set_devices;  // by device set, ascending, never empty
  std::vector<std::uint8_t> set_bits;              // by device set x device
};

// Throws InputError when an op has no device left, colocated ops have none in common, or a
// constraint names an op or a device that is not there.
Groups compile_groups(const Graph& graph, const Cluster& cluster, const Constraints& constraints);

// Every name, model and kind of the cluster's devices, for messages.
std::vector<std::string> device_labels(const Cluster& cluster);

}  // namespace berth
