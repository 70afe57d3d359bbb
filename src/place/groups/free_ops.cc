#include "place/groups/free_ops.h"

#include <algorithm>

namespace berth::place {

FreeOps::FreeOps(const Problem& problem)
    : graph_(problem.graph()),
      free_(problem.op_count(), std::uint8_t{0}),
      seen_(problem.op_count(), std::uint8_t{0}),
      positions_(problem.op_count(), 0) {
  std::uint32_t position = 0;
  for (const OpId op : graph_.topological_order()) {
    positions_[op.index()] = position++;
    bool free = true;
    for (const OpId before : graph_.predecessors(op)) free = free && contains(before);
    for (std::size_t cost_class = 0; free && cost_class < problem.class_count(); ++cost_class) {
      const double seconds = problem.class_seconds(op, cost_class);
      // Classes that the op may not use do not count.
      free = seconds == 0 || seconds == Problem::kImpossible;
    }
    free_[op.index()] = free ? 1 : 0;
    count_ += free ? 1 : 0;
  }
}

void FreeOps::collect_missing(OpId op, std::span<const DeviceId> placement,
                              std::vector<OpId>& missing) {
  missing.clear();
  // Breadth first; `missing` is the queue as well as the result.
  for (std::size_t next = 0; next <= missing.size(); ++next) {
    const OpId reader = next == 0 ? op : missing[next - 1];
    for (const OpId before : graph_.predecessors(reader)) {
      if (!contains(before) || placement[before.index()].valid()) continue;
      if (seen_[before.index()] != 0) continue;
      seen_[before.index()] = 1;
      missing.push_back(before);
    }
  }
  // Only what was touched is cleared: this is called for every op.
  for (const OpId before : missing) seen_[before.index()] = 0;
  std::sort(missing.begin(), missing.end(), [this](OpId left, OpId right) {
    return positions_[left.index()] < positions_[right.index()];
  });
}

std::vector<OpId> FreeOps::late_order() {
  std::vector<OpId> order;
  order.reserve(free_.size());
  // Any device will do: the placement only tells which ops are already in the order.
  std::vector<DeviceId> listed(free_.size());
  std::vector<OpId> missing;
  // Other ops first: each brings the free ops it needs. What is left is needed by none of them.
  for (const bool free_ones : {false, true}) {
    for (const OpId op : graph_.topological_order()) {
      if (contains(op) != free_ones || listed[op.index()].valid()) continue;
      collect_missing(op, listed, missing);
      missing.push_back(op);
      for (const OpId next : missing) {
        order.push_back(next);
        listed[next.index()] = DeviceId(0);
      }
    }
  }
  return order;
}

}  // namespace berth::place
