// Mars: Lan, Chen and Li, "Accelerated Device Placement Optimization with Contrastive Learning",
// ICPP 2021.
//
// A graph convolutional network embeds the units. Before any plan is simulated, it is trained on
// the graph alone by Deep Graph Infomax (`pretrain`). Then a sequence-to-sequence placer reads the
// units in segments and carries its state from one segment to the next (sequence_placer.h). Both
// are trained by PPO.
//
// Works for clusters and graphs of any size: devices are input, and nothing depends on unit
// numbers.
#pragma once

#include "learn/agents/sequence_policy.h"
#include "learn/nets/graph_convolution.h"

namespace berth::learn {

struct MarsSettings {
  std::int64_t samples = 0;  // plans per update
  std::int64_t encoder_width = 0;
  std::int64_t encoder_layers = 0;
  std::int64_t pretrain_updates = 0;  // 0: no pre-training
  double pretrain_rate = 0;           // learning rate of pre-training
  SequenceSettings placer;

  static MarsSettings parse(const Options& options);
};

class Mars : public SequencePolicy {
 public:
  Mars(const MarsSettings& settings, const Vocabulary& vocabulary);

  bool pretrain(std::span<const Case* const> on, Random& random, const StopToken& stop) override;

 private:
  Tensor nodes(const Case& of) const;  // what the encoder reads: [units, inputs]
  Tensor items(const Case& of) const override;

  std::int64_t width_;
  std::int64_t pretrain_updates_;
  double pretrain_rate_;
  GraphConvolution encoder_;
};

}  // namespace berth::learn
