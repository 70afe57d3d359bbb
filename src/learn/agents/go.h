// GO: Zhou et al., "Transferable Graph Optimizers for ML Compilers", NeurIPS 2020 (its placement
// part). Also `encoder_placer`: GDP (Zhou et al. 2019) as the Mars paper compares with it, which is
// the same without modulation and without refinement.
//
// GraphSAGE embeds the units. Attention in segments reads them as one sequence; its layers are
// modulated by the embedding of the whole graph (the preset `fast` has no such layers). Then all
// units get their devices in one pass of the network, not in one pass per unit. Refinement passes
// follow, in which every unit decides again and knows what the pass before has drawn. It is trained
// by PPO, on one graph or on many.
//
// Works for graphs and clusters of any size: nothing depends on unit numbers, and devices are
// input.
//
// The passes share all weights. In a refinement the network reads the whole graph again, with the
// device that the pass before drew for every unit as a further input, so a unit can follow its
// neighbours. The first pass reads the same for all plans; a refinement reads once per plan.
//
// With features=paper all units of a pass are decided at once, each by its embedding alone. With
// features=full units are decided in the order of a list scheduler, and the embedding weighs what
// the schedule so far makes of every device (nets/scheduled_placer.h); an untrained policy's greedy
// plan is that of heft. Messages then go along and against the edges separately.
//
// Our choice: the probability of a plan covers all its passes, so that each pass learns to prepare
// the next. It does not decide scheduling and fusion.
#pragma once

#include <vector>

#include "learn/nets/chance.h"
#include "learn/nets/device_table.h"
#include "learn/nets/graph_sage.h"
#include "learn/nets/scheduled_placer.h"
#include "learn/nets/segment_attention.h"
#include "learn/policy.h"

namespace berth::learn {

struct GoSettings {
  std::int64_t samples = 0;  // plans per update
  std::int64_t passes = 1;   // over all units, refinements included
  bool full = false;         // features
  LogitLimit limit;
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
  void complete(const Case& of, Decisions& decisions) const override;
  Plan plan(const Case& of, const Decisions& decisions, std::int64_t plan) const override;
  std::int64_t batch() const override { return samples_; }

 private:
  // The embeddings of all units: [readings, units, width]. `before`: the devices that the pass
  // before drew, [plans, units], for one reading per plan; undefined for the first pass, which is
  // one reading.
  Tensor read(const Case& of, const Tensor& before) const;
  // What is decided: all units, or those that a schedule decides.
  std::int64_t decided(const Case& of) const;
  // The devices of one pass, and those of the pass before it, undefined in the first.
  Tensor of_pass(const Case& of, const Tensor& all, std::int64_t pass) const;
  Tensor before_pass(const Case& of, const Tensor& devices, std::int64_t pass) const;
  // Draws with a random generator; without one takes the likeliest.
  Drawn decide(const Case& of, std::int64_t plans, double noise, Random* random) const;
  Drawn decide_at_once(const Case& of, std::int64_t plans, double noise, Random* random) const;
  Drawn decide_in_order(const Case& of, std::int64_t plans, Random* random) const;
  Tensor logits_at_once(const Case& of, const Tensor& devices, std::int64_t pass) const;
  Tensor embeddings_in_order(const Case& of, const Tensor& devices, std::int64_t pass) const;

  std::int64_t samples_, passes_;
  bool full_;
  LogitLimit limit_;
  Tensor type_embedding_;  // [vocabulary, embedding]
  Linear input_;
  Linear chosen_;  // of the device that the pass before drew
  GraphSage sage_;
  std::vector<SegmentAttention> attention_;
  LayerNorm norm_;
  // With paper features:
  Linear output_;
  DeviceTable devices_;
  Tensor stay_;  // [1]: in a refinement, added to the logit of the device that a unit has
  // With full features:
  ScheduledPlacer placer_;
};

}  // namespace berth::learn
