// ColocRL: Mirhoseini et al., "Device Placement Optimization with Reinforcement Learning", ICML
// 2017.
//
// Units (colocation groups in the paper) become a sequence. Each is described by the mean embedding
// of its op types, its output shapes and its adjacency. An LSTM encodes the sequence; an LSTM with
// content attention decodes one device per unit, and each step reads the embedding of the device
// chosen before. It is trained by REINFORCE with a moving average as baseline.
//
// Works for clusters of any size, since devices are input. It does not carry over to other graphs:
// adjacency is by unit number.
//
// Widths and learning rate are not published and are our choice. The preset `fast` goes beyond the
// paper: the decoder reads the encoding of the unit it places, attention is by products, and the
// policy reads all features (costs, memory, links, and the state of the devices).
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
