// Mars: Lan, Chen and Li, "Accelerated Device Placement Optimization with Contrastive Learning",
// ICPP 2021.
//
// A graph convolutional network embeds the units. Before any plan is priced it is trained on the
// graph alone by Deep Graph Infomax (`pretrain`). A sequence-to-sequence placer then goes through
// the units in segments, carrying its state from one to the next (sequence_placer.h), and PPO
// trains both.
//
// Serves clusters of any size (devices are input) and other graphs.
#pragma once

#include "learn/nets/graph_convolution.h"
#include "learn/nets/sequence_placer.h"
#include "learn/policy.h"

namespace berth {

class Mars : public Policy {
 public:
  Mars(const Options& settings, const Vocabulary& vocabulary);

  void pretrain(std::span<const Case* const> on, Random& random) override;
  Drawn draw(const Case& of, std::int64_t most, double noise, Random& random) override;
  Scores score(const Case& of, const Decisions& decisions) override;
  Decisions greedy(const Case& of) override;
  Plan plan(const Case& of, const Decisions& decisions, std::int64_t plan) const override;
  std::int64_t batch() const override { return samples_; }

 private:
  Tensor nodes_of(const Case& of) const;  // [units, inputs]
  SequenceInput read(const Case& of) const;

  std::int64_t samples_, width_;
  std::int64_t pretrain_updates_;
  double pretrain_rate_;
  bool full_;
  GraphConvolution encoder_;
  SequencePlacer placer_;
};

}  // namespace berth
