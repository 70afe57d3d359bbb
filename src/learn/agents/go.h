// GO: Zhou et al., "Transferable Graph Optimizers for ML Compilers", NeurIPS 2020 (its placement
// part), and `encoder_placer`: GDP (Zhou et al. 2019) as Mars is measured against, which is the
// same without modulation and without refinement.
//
// GraphSAGE embeds the units; attention in segments, its layers modulated by the embedding of the
// whole graph, reads them as one sequence; then all units get their devices in one pass, not one
// pass a unit. Refinement passes follow, in which every unit decides again, knowing what the pass
// before has drawn. PPO trains it, on one graph or on many.
//
// Serves graphs and clusters of any size: nothing is by number of unit, and devices are input.
//
// Ours: the probability of a plan is that of all its passes, so that each learns to prepare the
// next. All passes share the network up to the units' embeddings. With features=full a unit also
// reads the state of the devices as the units before it have left it (ledger.h); what it makes of
// that is a small network's to say (device_scorer.h), so that it costs next to nothing. With
// features=paper units decide by their embeddings alone and, when refining, by the device they had.
// Scheduling and fusion are not decided here.
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
  // What all passes on a case have in common.
  struct Read {
    Tensor logits;  // [units, devices]: what the network makes of a unit and a device
    Tensor
        item_views;    // [units, 1, DeviceScorer::kWidth]: what a unit thinks of the devices' state
    Tensor forbidden;  // [units, devices]
  };
  Read read(const Case& of) const;
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
  Linear item_view_;
  DeviceScorer scorer_;
  Tensor stay_;  // [1]: added, when refining, to the device where a unit is
};

}  // namespace berth::learn
