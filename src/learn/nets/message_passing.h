// Placeto's graph network (Addanki et al. 2019). Node features go through a small network; then
// messages pass along the edges and against them, a number of rounds each with the same weights,
//   x_v <- x_v + g(mean over neighbours u of f(x_u)),
// and both results together are the embedding of a node. For one node, three poolings summarize all
// its ancestors, all its descendants and all nodes parallel to it.
#pragma once

#include "learn/nets/module.h"
#include "learn/reachability.h"

namespace berth::learn {

// Two layers, relu after the first.
class TwoLayers : public Module {
 public:
  TwoLayers() = default;
  TwoLayers(std::int64_t inputs, std::int64_t hidden, std::int64_t outputs);

  Tensor operator()(const Tensor& inputs) const { return second_(first_(inputs).relu()); }
  // The same of [nodes, graphs, inputs] and then summed over nodes with weights [graphs, nodes]:
  // [graphs, outputs]. The second layer is linear, so it can come after the sum.
  Tensor summed(const Tensor& inputs, const Tensor& weights) const;

 private:
  Linear first_, second_;
};

class MessagePassing : public Module {
 public:
  MessagePassing() = default;
  MessagePassing(std::int64_t inputs, std::int64_t width, std::int64_t rounds);

  // nodes: [nodes, graphs, inputs], all of one shape of graph. The result: [nodes, graphs, 2
  // width]. Nodes are the first dimension, so that the mean over neighbours is one product for all
  // graphs.
  Tensor embed(const Tensor& nodes, const Reachability& reach) const;
  // Node current[i] of graph i together with its three poolings: [graphs, 8 width].
  Tensor read(const Tensor& embeddings, const Tensor& current, const Reachability& reach) const;

 private:
  Tensor pass(Tensor nodes, const Tensor& neighbours, const TwoLayers& message,
              const TwoLayers& heard) const;

  std::int64_t rounds_ = 0;
  TwoLayers input_;
  TwoLayers down_message_, down_heard_, up_message_, up_heard_;
  TwoLayers before_message_, before_heard_, after_message_, after_heard_, beside_message_,
      beside_heard_;
};

}  // namespace berth::learn
