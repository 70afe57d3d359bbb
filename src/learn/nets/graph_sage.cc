#include "learn/nets/graph_sage.h"

#include <fmt/format.h>

namespace berth::learn {

GraphSage::GraphSage(std::int64_t width, std::int64_t layers) {
  for (std::int64_t i = 0; i < layers; ++i) {
    pools_.push_back(part(fmt::format("pool{}", i), Linear(width, width)));
    joins_.push_back(part(fmt::format("join{}", i), Linear(2 * width, width)));
  }
}

Tensor GraphSage::operator()(Tensor nodes, const Neighbours& neighbours) const {
  for (std::size_t i = 0; i < pools_.size(); ++i) {
    const Tensor heard = neighbour_max(pools_[i](nodes).sigmoid(), neighbours);
    nodes = joins_[i](at::cat({nodes, heard}, 1)).relu();
  }
  return nodes;
}

}  // namespace berth::learn
