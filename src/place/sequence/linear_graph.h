// Linear graphs: ops that run strictly one after the other, whatever the placement.
//
// Free ops may be attached to the path, such as the weights of an op; they belong to the one op
// that reads them. Linear graphs with colocated ops are left out, since what the planner decides
// for one op must not bind another.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "cost/problem.h"

namespace berth::place {

// One op of the path with the free ops that only it reads.
struct LinearStep {
  OpId op;
  std::vector<OpId> free_ops;
};
using LinearGraph = std::vector<LinearStep>;

// Nothing when the graph is not linear. Ops of zero cost at its head are part of it.
std::optional<LinearGraph> as_linear_graph(const Problem& problem);

// What passes from each link to the next, and how long that takes.
class Handovers {
 public:
  Handovers(const Problem& problem, const LinearGraph& path);

  // Distinct tensors that the link reads from the one before.
  std::span<const TensorId> tensors(std::size_t link) const { return tensors_[link]; }
  // Of all of them, one after the other; infinite when there is no route.
  double seconds(std::size_t link, DeviceId from, DeviceId to) const;

 private:
  const Problem& problem_;
  std::vector<std::vector<TensorId>> tensors_;  // by link
};

}  // namespace berth::place
