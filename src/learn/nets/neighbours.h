// Differentiable sums and maxima over the neighbours of a graph's nodes, which every kind of
// message passing needs. They are plain loops: the framework's scatter operations cost more than
// the rest of a layer on graphs of a few hundred nodes, and loops sum in a fixed order.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "learn/torch.h"

namespace berth::learn {

// The neighbours of every node.
struct Neighbours {
  std::vector<std::int64_t> begins = {0};
  std::vector<std::int64_t> items;

  std::int64_t nodes() const { return static_cast<std::int64_t>(begins.size()) - 1; }
  // Each (node, neighbour) once, whatever the order and however often they are given.
  static Neighbours of(std::int64_t nodes,
                       std::vector<std::pair<std::int64_t, std::int64_t>> pairs);
};

// values: [nodes, width]. The elementwise maximum over a node's neighbours; 0 where it has none.
// Gradients go to the first of equals.
Tensor neighbour_max(const Tensor& values, const Neighbours& neighbours);

// The weighted sum over a node's neighbours; weights: [items], double, without gradients.
Tensor neighbour_sum(const Tensor& values, const Neighbours& neighbours, const Tensor& weights);

}  // namespace berth::learn
