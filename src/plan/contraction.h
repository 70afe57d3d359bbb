// The graph in which every fused group of ops is contracted to one vertex. Finds a cycle in it, or
// a path that leaves a group and returns to it. O(ops + edges) per question.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "graph/graph.h"

namespace berth {

class Contraction {
 public:
  static constexpr std::uint32_t kNoGroup = 0xffffffffu;

  // The groups must be disjoint, their members ascending.
  Contraction(const Graph& graph, std::span<const std::vector<OpId>> groups);

  // Makes the group's members single ops again.
  void dissolve(std::uint32_t group);
  std::uint32_t group(OpId op) const { return groups_of_[op.index()]; }

  // The vertices of a cycle in the order in which they depend on each other, each as the lowest of
  // its ops; empty when the contracted graph is acyclic.
  std::vector<OpId> find_cycle() const;

  // The first op outside on a path that leaves the group and returns to it, if there is one. The
  // group is then not convex.
  std::optional<OpId> find_way_back(std::uint32_t group) const;

 private:
  OpId unit(OpId op) const;
  std::span<const OpId> members(const OpId& unit) const;

  const Graph& graph_;
  std::span<const std::vector<OpId>> groups_;
  std::vector<std::uint32_t> groups_of_;  // by op
};

}  // namespace berth
