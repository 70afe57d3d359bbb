// GraphSAGE (Hamilton et al. 2017) with max pooling, as GDP and GO use it. A layer:
//   heard = max over neighbours u of sigmoid(W h_u + b);  h_v = relu(D [h_v; heard])
// Neighbours are the nodes that a node reads and those it feeds, or each kind by itself with
// weights of its own (`directions`). The result does not depend on the order of the nodes.
#pragma once

#include <span>
#include <vector>

#include "learn/nets/module.h"
#include "learn/nets/neighbours.h"

namespace berth::learn {

struct GraphSageSettings {
  std::int64_t width = 0;
  std::int64_t layers = 0;
  std::int64_t directions = 1;
};

class GraphSage : public Module {
 public:
  GraphSage() = default;
  explicit GraphSage(const GraphSageSettings& settings);

  // nodes: [nodes, ..., width], several graphs of one shape side by side; the result likewise.
  // `ways` holds the neighbours of each direction.
  Tensor operator()(Tensor nodes, std::span<const Neighbours* const> ways) const;

 private:
  std::vector<std::vector<Linear>> pools_;  // by layer and direction
  std::vector<Linear> joins_;
};

}  // namespace berth::learn
