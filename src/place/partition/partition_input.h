// A problem as graph partitioners see it: integer weights on vertices and edges, and parts of given
// sizes.
//
// Vertices are the colocation groups that may use at least one of the devices to spread over,
// numbered in topological order of their first op; parts are these devices. All weights are 32-bit,
// as in Debian's builds of Scotch and METIS, so they are scaled to sums that cannot overflow inside
// the libraries:
//
//   work    mean seconds of the group over the devices it may use, scaled to about 2^28 in all
//   memory  parameters and outputs (group_footprint.h), likewise
//   bytes   tensors between two groups (group_graph.h), scaled down to at most about 2^25 in all
//
// and at least 1 each: a partitioner treats an edge of weight 0 as no edge, and ops without cost
// are better spread by number than not at all. The share of a part is the speed of its device (work
// over the seconds the same groups take there, times its slots) over the sum of speeds.
//
// What is lost: that groups of different kinds prefer different devices (only the mean speed
// counts), direction and time (a cut does not say which group waits for which), and edges to groups
// pinned outside.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "place/groups/group_devices.h"

namespace berth::place {

struct PartitionInput {
  static constexpr std::int32_t kAnyPart = -1;

  std::vector<DeviceId> devices;      // of the parts
  std::vector<double> shares;         // of the work, by part; they sum to 1
  std::vector<double> memory_shares;  // of the usable bytes, likewise
  std::vector<GroupId> groups;        // of the vertices

  std::vector<std::int32_t> work, memory;  // by vertex
  std::vector<std::int32_t> only_part;     // the one part a vertex may go to, or kAnyPart
  std::vector<std::int32_t> begins;        // of every vertex's row in the next two, and the end
  std::vector<std::int32_t> neighbours, bytes;  // every edge both ways
  std::uint64_t seed = 0;

  std::size_t vertex_count() const { return groups.size(); }
  std::size_t part_count() const { return devices.size(); }
};

// The part of every vertex.
using Parts = std::vector<std::int32_t>;

PartitionInput partition_input(const Problem& problem, const GroupGraph& graph,
                               const GroupCosts& costs, std::vector<DeviceId> devices,
                               std::uint64_t seed);

// Sum of the bytes of edges between different parts, each once.
std::int64_t cut_bytes(const PartitionInput& input, const Parts& parts);

}  // namespace berth::place
