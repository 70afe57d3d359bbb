// GraphSAGE (Hamilton et al. 2017) with max pooling, as GDP and GO use it. A layer:
//   heard = max over neighbours u of sigmoid(W h_u + b);  h_v = relu(D [h_v; heard])
// Neighbours are the nodes that a node reads and those it feeds. The result does not depend on the
// order of the nodes.
#pragma once

#include <vector>

#include "learn/nets/module.h"
#include "learn/nets/neighbours.h"

namespace berth::learn {

class GraphSage : public Module {
 public:
  GraphSage() = default;
  GraphSage(std::int64_t width, std::int64_t layers);

  // nodes: [nodes, width]; the result likewise.
  Tensor operator()(Tensor nodes, const Neighbours& neighbours) const;

 private:
  std::vector<Linear> pools_, joins_;
};

}  // namespace berth::learn
