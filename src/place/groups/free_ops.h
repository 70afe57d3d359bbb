// Free ops: they cost nothing on any device they may use, and neither does any op before them.
// These are inputs, weights, constants and views of them.
//
// A heuristic that takes ops in order of time or of the graph would put all of them on its first
// device, before it knows which ops read them. So placers leave them out of their decisions and
// place a free op with the first op that reads it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cost/problem.h"

namespace berth::place {

class FreeOps {
 public:
  explicit FreeOps(const Problem& problem);

  bool contains(OpId op) const { return free_[op.index()] != 0; }
  std::size_t count() const { return count_; }

  // The graph's topological order, but with every free op right before the first op that needs it.
  // Free ops that nothing needs come last.
  std::vector<OpId> late_order();

  // The free ops that `op` needs and that have no device in `placement`, in topological order.
  // Empty for most ops.
  void collect_missing(OpId op, std::span<const DeviceId> placement, std::vector<OpId>& missing);

 private:
  const Graph& graph_;
  std::vector<std::uint8_t> free_;
  std::vector<std::uint8_t> seen_;        // by collect_missing; all zero between calls
  std::vector<std::uint32_t> positions_;  // of the ops in the topological order
  std::size_t count_ = 0;
};

}  // namespace berth::place
