#include "plan/contraction.h"

#include <algorithm>

namespace berth {

Contraction::Contraction(const Graph& graph, std::span<const std::vector<OpId>> groups)
    : graph_(graph), groups_(groups), groups_of_(graph.op_count(), kNoGroup) {
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (groups[g].size() < 2) continue;  // an op of its own either way
    for (const OpId op : groups[g]) groups_of_[op.index()] = static_cast<std::uint32_t>(g);
  }
}

void Contraction::dissolve(std::uint32_t group) {
  for (const OpId op : groups_[group]) groups_of_[op.index()] = kNoGroup;
}

OpId Contraction::unit(OpId op) const {
  return group(op) == kNoGroup ? op : groups_[group(op)].front();
}

std::span<const OpId> Contraction::members(const OpId& unit) const {
  if (group(unit) == kNoGroup) return {&unit, 1};
  return groups_[group(unit)];
}

std::vector<OpId> Contraction::find_cycle() const {
  const std::size_t ops = graph_.op_count();
  // Kahn's algorithm on the contracted graph, without building it.
  std::vector<std::uint32_t> missing(ops, 0);  // by unit: edges from units not yet done
  for (std::size_t i = 0; i < ops; ++i) {
    const OpId to = unit(OpId(i));
    for (const OpId earlier : graph_.predecessors(OpId(i))) {
      if (unit(earlier) != to) ++missing[to.index()];
    }
  }
  std::vector<OpId> ready;
  for (std::size_t i = 0; i < ops; ++i) {
    if (unit(OpId(i)) == OpId(i) && missing[i] == 0) ready.emplace_back(i);
  }
  while (!ready.empty()) {
    const OpId done = ready.back();
    ready.pop_back();
    for (const OpId member : members(done)) {
      for (const OpId later : graph_.successors(member)) {
        const OpId to = unit(later);
        if (to != done && --missing[to.index()] == 0) ready.push_back(to);
      }
    }
  }

  const auto left = std::find_if(missing.begin(), missing.end(), [](auto n) { return n > 0; });
  if (left == missing.end()) return {};
  // Every vertex left over has a predecessor that is left over too, so walking back must reach a
  // vertex twice. The part between the two visits is a cycle.
  std::vector<std::uint32_t> seen_at(ops, kNoGroup);
  std::vector<OpId> walk;
  OpId at(static_cast<std::size_t>(left - missing.begin()));
  while (seen_at[at.index()] == kNoGroup) {
    seen_at[at.index()] = static_cast<std::uint32_t>(walk.size());
    walk.push_back(at);
    OpId back;
    for (const OpId member : members(walk.back())) {
      for (const OpId earlier : graph_.predecessors(member)) {
        const OpId from = unit(earlier);
        if (from != walk.back() && missing[from.index()] > 0) back = from;
      }
    }
    at = back;
  }
  walk.erase(walk.begin(), walk.begin() + seen_at[at.index()]);
  std::reverse(walk.begin(), walk.end());
  return walk;
}

std::optional<OpId> Contraction::find_way_back(std::uint32_t group) const {
  // In the graph without contraction, so that the group is at fault by itself, not with others.
  const auto inside = [&](OpId op) { return groups_of_[op.index()] == group; };
  // `exit_of` marks what can be reached from the group, with the op by which the path left it.
  std::vector<OpId> exit_of(graph_.op_count());
  for (const OpId op : graph_.topological_order()) {
    if (inside(op)) continue;
    for (const OpId earlier : graph_.predecessors(op)) {
      if (inside(earlier)) exit_of[op.index()] = op;
      if (exit_of[op.index()].valid()) break;
      exit_of[op.index()] = exit_of[earlier.index()];
    }
  }
  for (const OpId member : groups_[group]) {
    for (const OpId earlier : graph_.predecessors(member)) {
      if (!inside(earlier) && exit_of[earlier.index()].valid()) return exit_of[earlier.index()];
    }
  }
  return std::nullopt;
}

}  // namespace berth
