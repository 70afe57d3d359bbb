#include "learn/nets/graph_sage.h"

#include <fmt/format.h>

namespace berth::learn {

GraphSage::GraphSage(const GraphSageSettings& settings) {
  const std::int64_t width = settings.width;
  for (std::int64_t i = 0; i < settings.layers; ++i) {
    pools_.emplace_back();
    for (std::int64_t way = 0; way < settings.directions; ++way) {
      const std::string name =
          way == 0 ? fmt::format("pool{}", i) : fmt::format("pool{}_{}", i, way);
      pools_.back().push_back(part(name, Linear(width, width)));
    }
    joins_.push_back(
        part(fmt::format("join{}", i), Linear((1 + settings.directions) * width, width)));
  }
}

Tensor GraphSage::operator()(Tensor nodes, std::span<const Neighbours* const> ways) const {
  for (std::size_t i = 0; i < joins_.size(); ++i) {
    std::vector<Tensor> seen = {nodes};
    for (std::size_t way = 0; way < ways.size(); ++way) {
      const Tensor told = pools_[i][way](nodes).sigmoid();
      seen.push_back(neighbour_max(told.flatten(1), *ways[way]).view(told.sizes()));
    }
    nodes = joins_[i](at::cat(seen, -1)).relu();
  }
  return nodes;
}

}  // namespace berth::learn
