// GO (go.h) with decisions=ledger: units are decided one after the other, and each also reads the
// state of the devices after the units before it (ledger.h) through a small network
// (device_scorer.h). One reading of the graph serves all passes; in a refinement a unit knows the
// device it had.
//
// Works for graphs and clusters of any size: nothing depends on unit numbers, and devices are
// input.
#pragma once

#include <vector>

#include "learn/agents/go.h"
#include "learn/nets/device_scorer.h"
#include "learn/nets/device_table.h"
#include "learn/nets/graph_sage.h"
#include "learn/nets/segment_attention.h"
#include "learn/policy.h"

namespace berth::learn {

class GoLedger : public Policy {
 public:
  GoLedger(const GoSettings& settings, const Vocabulary& vocabulary);

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
  LogitLimit limit_;
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
