// A graph convolutional network (Kipf and Welling 2017) and its training without labels by Deep
// Graph Infomax (Velickovic et al. 2019), as Mars has them.
//
// A layer is prelu(A h W + b), A being the graph's adjacency with loops, both ways, each edge
// divided by the root of both ends' degrees.
//
// Infomax: the summary of a graph is the sigmoid of its mean embedding, and a bilinear form scores
// how well an embedding fits the summary. Training makes the scores high for embeddings of the
// graph and low for those of a graph with the same edges whose nodes have exchanged their features.
#pragma once

#include <vector>

#include "learn/nets/module.h"
#include "learn/nets/neighbours.h"

namespace berth::learn {

// Neighbours in both directions and the node itself, each with its weight.
struct Convolution {
  Neighbours neighbours;
  Tensor weights;  // [items], double

  static Convolution of(const Neighbours& around);
};

class GraphConvolution : public Module {
 public:
  GraphConvolution() = default;
  GraphConvolution(std::int64_t inputs, std::int64_t width, std::int64_t layers);

  // nodes: [nodes, inputs]; the result: [nodes, width].
  Tensor operator()(Tensor nodes, const Convolution& graph) const;

 private:
  std::vector<Linear> layers_;
  std::vector<Tensor> slopes_;  // of prelu
};

class Infomax : public Module {
 public:
  explicit Infomax(std::int64_t width);

  // How well each embedding [nodes, width] fits the summary of `whole`: [nodes], logits.
  Tensor operator()(const Tensor& embeddings, const Tensor& whole) const;
  // Cross entropy of telling the two apart, per node.
  Tensor loss(const Tensor& real, const Tensor& shuffled) const;

 private:
  Tensor form_;  // [width, width]
};

}  // namespace berth::learn
