// GO: Zhou et al., "Transferable Graph Optimizers for ML Compilers", NeurIPS 2020 (its placement
// part). Also `encoder_placer`: GDP (Zhou et al. 2019) as the Mars paper compares with it, which is
// the same without modulation and without refinement.
//
// GraphSAGE embeds the units. Attention in segments reads them as one sequence; its layers are
// modulated by the embedding of the whole graph. Then all units get their devices in one pass of
// the network, not in one pass per unit. Refinement passes follow, in which every unit decides
// again and knows what the pass before has drawn. It is trained by PPO, on one graph or on many.
//
// Works for graphs and clusters of any size: nothing depends on unit numbers, and devices are
// input.
//
// Our choices: the probability of a plan covers all its passes, so that each pass learns to prepare
// the next. All passes share the network up to the embeddings of the units. With features=full a
// unit also reads the state of the devices after the units before it (ledger.h), through a small
// network (device_scorer.h), which costs little. With features=paper units decide by their
// embeddings alone and, in a refinement, by the device they had. It does not decide scheduling and
// fusion.
#pragma once

#include <vector>

#include "learn/nets/device_scorer.h"
#include "learn/nets/device_table.h"
#include "learn/nets/graph_sage.h"
#include "learn/nets/segment_attention.h"
#include "learn/policy.h"

namespace berth::learn {

struct GoSettings {
  std::int64_t samples = 0;  // plans per update
  std::int64_t passes = 1;   // over all units, refinements included
  bool full = false;         // features
  double limit = 0;          // of logits; 0: none
  double temperature = 1;
  std::int64_t embedding = 0;  // width of the embedding of op types
  std::int64_t width = 0;      // of the network
  std::int64_t sage_layers = 0;
  std::int64_t attention_layers = 0;
  std::int64_t heads = 1;
  std::int64_t segment = 0;  // units; 0 for one segment that covers all
  bool modulated = false;

  // Throws InputError when the width is not a multiple of the heads.
  static GoSettings parse(const Options& options);
};

class Go : public Policy {
 public:
  Go(const GoSettings& settings, const Vocabulary& vocabulary);

  Drawn draw(const Case& of, std::int64_t most, double noise, Random& random) override;
  Scores score(const Case& of, const Decisions& decisions) override;
  Decisions greedy(const Case& of) override;
  Plan plan(const Case& of, const Decisions& decisions, std::int64_t plan) const override;
  std::int64_t batch() const override { return samples_; }

 private:
  // The part of the network that all passes share.
  struct UnitOutput {
    Tensor logits;       // [units, devices], without the state of the devices
    Tensor item_biases;  // [units, 1, DeviceScorer::kWidth], for the scorer
    Tensor forbidden;    // [units, devices]
  };
  UnitOutput read(const Case& of) const;
  // Draws with a random generator; without one takes the likeliest.
  Drawn decide(const Case& of, std::int64_t plans, double noise, Random* random) const;
  // What the scorer sees in one pass of every plan: [plans, units, devices, DeviceScorer::kInputs].
  std::vector<Tensor> replay(const Case& of, const Tensor& devices) const;

  std::int64_t samples_, passes_;
  bool full_;
  double limit_, temperature_;
  Tensor type_embedding_;  // [vocabulary, embedding]
  Linear input_;
  GraphSage sage_;
  std::vector<SegmentAttention> attention_;
  LayerNorm norm_;
  Linear output_;
  DeviceTable devices_;
  Linear item_bias_;
  DeviceScorer scorer_;
  Tensor stay_;  // [1]: in a refinement, added to the logit of the device that a unit has
};

}  // namespace berth::learn
