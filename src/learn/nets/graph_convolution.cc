#include "learn/nets/graph_convolution.h"

#include <fmt/format.h>

#include <cmath>

namespace berth::learn {

Convolution Convolution::of(const Neighbours& around) {
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
  for (std::int64_t node = 0; node < around.nodes(); ++node) {
    // A loop, so that a node without neighbours keeps its own features.
    pairs.emplace_back(node, node);
    const std::int64_t end = around.begins[static_cast<std::size_t>(node) + 1];
    for (std::int64_t at = around.begins[static_cast<std::size_t>(node)]; at < end; ++at) {
      pairs.emplace_back(node, around.items[static_cast<std::size_t>(at)]);
    }
  }
  Convolution graph;
  graph.neighbours = Neighbours::of(around.nodes(), std::move(pairs));
  const auto degree = [&](std::int64_t node) {
    const auto at = static_cast<std::size_t>(node);
    return static_cast<double>(graph.neighbours.begins[at + 1] - graph.neighbours.begins[at]);
  };
  std::vector<double> weights;
  for (std::int64_t node = 0; node < around.nodes(); ++node) {
    const std::int64_t end = graph.neighbours.begins[static_cast<std::size_t>(node) + 1];
    for (auto at = graph.neighbours.begins[static_cast<std::size_t>(node)]; at < end; ++at) {
      const std::int64_t other = graph.neighbours.items[static_cast<std::size_t>(at)];
      weights.push_back(1 / std::sqrt(degree(node) * degree(other)));
    }
  }
  graph.weights = torch::tensor(weights, at::kDouble);
  return graph;
}

GraphConvolution::GraphConvolution(std::int64_t inputs, std::int64_t width, std::int64_t layers) {
  constexpr double kSlope = 0.25;
  for (std::int64_t i = 0; i < layers; ++i) {
    layers_.push_back(part(fmt::format("layer{}", i), Linear(i == 0 ? inputs : width, width)));
    slopes_.push_back(parameter(fmt::format("slope{}", i), torch::full({1}, kSlope)));
  }
}

Tensor GraphConvolution::operator()(Tensor nodes, const Convolution& graph) const {
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const Tensor heard = neighbour_sum(layers_[i](nodes), graph.neighbours, graph.weights);
    nodes = at::prelu(heard, slopes_[i]);
  }
  return nodes;
}

Infomax::Infomax(std::int64_t width) : form_(parameter("form", glorot(width, width))) {}

Tensor Infomax::operator()(const Tensor& embeddings, const Tensor& whole) const {
  const Tensor summary = whole.mean(0).sigmoid();
  return embeddings.matmul(form_.matmul(summary));
}

Tensor Infomax::loss(const Tensor& real, const Tensor& shuffled) const {
  // -log sigmoid(yes) and -log(1 - sigmoid(no)).
  return (at::softplus(-(*this)(real, real)) + at::softplus((*this)(shuffled, real))).mean() / 2;
}

}  // namespace berth::learn
