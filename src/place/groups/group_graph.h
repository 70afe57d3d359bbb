// Colocation groups as an undirected graph, weighted by the bytes that are sent if two groups are
// on different devices. This is what graph partitioners cut.
//
// Two groups are neighbours when a tensor goes from one to the other, in either direction. The
// weight of the edge is the sum of the bytes of these tensors; a tensor counts once per group that
// reads it. So the cut of a partition overestimates the traffic where several groups on one device
// read the same tensor, which is sent there only once. `after` carries no data and makes no edge. A
// tensor of 0 bytes does, because it still needs a route.
//
// Built in O(edges x log degree).
#pragma once

#include <span>

#include "cost/problem.h"

namespace berth::place {

struct GroupEdge {
  GroupId group;
  double bytes = 0;  // exact below 2^53
};

class GroupGraph {
 public:
  explicit GroupGraph(const Problem& problem);

  std::size_t group_count() const { return edges_.size(); }
  // Ascending by group, each neighbour once.
  std::span<const GroupEdge> neighbours(GroupId group) const { return edges_.row(group.index()); }

 private:
  Rows<GroupEdge> edges_;
};

}  // namespace berth::place
