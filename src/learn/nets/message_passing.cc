#include "learn/nets/message_passing.h"

namespace berth::learn {

TwoLayers::TwoLayers(std::int64_t inputs, std::int64_t hidden, std::int64_t outputs)
    : first_(part("first", Linear(inputs, hidden))),
      second_(part("second", Linear(hidden, outputs))) {}

Tensor TwoLayers::summed(const Tensor& inputs, const Tensor& weights) const {
  const Tensor hidden = first_(inputs).relu().transpose(0, 1);  // [graphs, nodes, hidden]
  const Tensor sums = weights.unsqueeze(1).bmm(hidden).squeeze(1);
  return sums.matmul(second_.weight().t()) + weights.sum(1, true) * second_.bias();
}

MessagePassing::MessagePassing(std::int64_t inputs, std::int64_t width, std::int64_t rounds)
    : rounds_(rounds) {
  // Names are part of the policy file format and must not change.
  const auto layers = [&](const char* name, std::int64_t wide) {
    return part(name, TwoLayers(wide, wide, wide));
  };
  input_ = part("input", TwoLayers(inputs, width, width));
  down_message_ = layers("down_message", width);
  down_heard_ = layers("down_heard", width);
  up_message_ = layers("up_message", width);
  up_heard_ = layers("up_heard", width);
  before_message_ = layers("before_message", 2 * width);
  before_heard_ = layers("before_heard", 2 * width);
  after_message_ = layers("after_message", 2 * width);
  after_heard_ = layers("after_heard", 2 * width);
  beside_message_ = layers("beside_message", 2 * width);
  beside_heard_ = layers("beside_heard", 2 * width);
}

Tensor MessagePassing::pass(Tensor nodes, const Tensor& neighbours, const TwoLayers& message,
                            const TwoLayers& heard) const {
  for (std::int64_t round = 0; round < rounds_; ++round) {
    // Flattened, so that the mean over neighbours is one matrix product for all graphs.
    const Tensor told = message(nodes);
    nodes = nodes + heard(neighbours.mm(told.flatten(1)).view(told.sizes()));
  }
  return nodes;
}

Tensor MessagePassing::embed(const Tensor& nodes, const Reachability& reach) const {
  const Tensor own = input_(nodes);
  return at::cat({pass(own, reach.feeders, down_message_, down_heard_),
                  pass(own, reach.readers, up_message_, up_heard_)},
                 2);
}

Tensor MessagePassing::read(const Tensor& embeddings, const Tensor& current,
                            const Reachability& reach) const {
  const auto pooled = [&](const Tensor& those, const TwoLayers& message, const TwoLayers& heard) {
    return heard(message.summed(embeddings, those.index_select(0, current)));
  };
  const std::int64_t width = embeddings.size(2);
  const Tensor own = embeddings.gather(0, current.view({1, -1, 1}).expand({1, -1, width}))[0];
  return at::cat({own, pooled(reach.ancestors, before_message_, before_heard_),
                  pooled(reach.descendants, after_message_, after_heard_),
                  pooled(reach.parallel, beside_message_, beside_heard_)},
                 1);
}

}  // namespace berth::learn
