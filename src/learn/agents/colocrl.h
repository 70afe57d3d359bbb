// ColocRL: Mirhoseini et al., "Device Placement Optimization with Reinforcement Learning", ICML
// 2017.
//
// Units (colocation groups in the paper) become a sequence: for each the mean embedding of its ops'
// types, their output shapes and its adjacency. An LSTM encodes it, an LSTM with content attention
// decodes a device a unit, each time fed with the embedding of the device before. REINFORCE with a
// moving average as baseline trains it.
//
// Serves clusters of any size (devices are input); but adjacency is by number of unit, so what it
// has learned is of that graph.
//
// Not published, and so ours: widths and learning rate. Beyond the paper, in the preset `fast`: the
// decoder reads the encoding of the unit it places, attention is by products, and all features are
// seen (costs, memory, links, and the state of the devices).
#pragma once

#include "learn/agents/sequence_policy.h"

namespace berth::learn {

struct ColocRlSettings {
  std::int64_t samples = 0;    // plans per update
  std::int64_t embedding = 0;  // width of the embedding of op types
  std::int64_t adjacency = 0;  // columns
  SequenceSettings placer;

  static ColocRlSettings parse(const Options& options);
};

class ColocRl : public SequencePolicy {
 public:
  ColocRl(const ColocRlSettings& settings, const Vocabulary& vocabulary);

 private:
  Tensor items(const Case& of) const override;

  Tensor type_embedding_;  // [vocabulary, embedding]
};

}  // namespace berth::learn
