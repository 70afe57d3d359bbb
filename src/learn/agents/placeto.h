// Placeto: Addanki et al., "Learning Generalizable Device Placement Algorithms for Distributed
// Machine Learning", NeurIPS 2019.
//
// An episode begins with a placement and visits every unit once, in topological order. At each step
// a graph network (message_passing.h) reads all units with their current devices and with marks for
// the visited units and the current one. Then the current unit gets a device, the same or another.
// The reward of a step is how much it shortens the step time, so the return from step t on is the
// improvement of the final placement over the one before t. With rewards=terminal, the default of
// the preset `fast`, every decision counts for the final placement alone. Rewards of steps add up
// to the same and need one evaluation each, so for the same budget a dozen terminal episodes fit.
// Trained by REINFORCE with a baseline per step of the episode: the mean over the last updates as
// published, or over the other episodes of the batch (`baseline`).
//
// Works for graphs and clusters of any size: nothing depends on unit numbers, and devices are
// input.
//
// Our choices: all episodes begin with the same placement, as the greedy plan does, since returns
// from other placements have other means and the baseline is a mean over episodes. It has every
// unit on its fastest device; with features=full, where heft's schedule of the units has it.
// Neighbours and poolings are averaged, not summed. With features=full a step also reads the state
// of the devices (placement_state.h). Intermediate placements are simulated completely: an early
// change affects most of the step (docs/search.md), so to simulate only what changed would save
// nothing.
#pragma once

#include "learn/nets/chance.h"
#include "learn/nets/device_scorer.h"
#include "learn/nets/device_table.h"
#include "learn/nets/message_passing.h"
#include "learn/policy.h"

namespace berth::learn {

struct PlacetoSettings {
  std::int64_t samples = 0;   // episodes per update
  bool full = false;          // features
  bool step_rewards = false;  // every step is rewarded, not the final placement alone
  LogitLimit limit;
  std::int64_t width = 0;   // of a node's embedding, each way
  std::int64_t rounds = 0;  // of messages

  static PlacetoSettings parse(const Options& options);
};

class Placeto : public Policy {
 public:
  explicit Placeto(const PlacetoSettings& settings);

  Drawn draw(const Case& of, std::int64_t most, double noise, Random& random) override;
  Scores score(const Case& of, const Decisions& decisions) override;
  Decisions greedy(const Case& of) override;
  Plan plan(const Case& of, const Decisions& decisions, std::int64_t plan) const override;
  std::vector<PathStep> path(const Case& of, const Decisions& decisions,
                             std::int64_t plan) const override;
  double evaluations_for_one(const Case& of) const override {
    return by_steps_ ? static_cast<double>(of.unit_count()) + 1 : 1;
  }
  std::int64_t batch() const override { return samples_; }

 private:
  // The network's output for several placements, each with one current unit: logits
  // [placements, devices] without those of the scorer, and biases [placements, 1, width] for it.
  struct UnitOutput {
    Tensor logits;
    Tensor item_biases;
  };
  UnitOutput look(const Case& of, const Tensor& placed, const Tensor& current) const;
  Drawn decide(const Case& of, const Tensor& starts, double noise, Random* random) const;
  // What the scorer sees at every step of every plan: [plans * units, devices, kInputs].
  Tensor replay(const Case& of, const Decisions& decisions) const;

  std::int64_t samples_;
  bool full_, by_steps_;
  LogitLimit limit_;
  MessagePassing network_;
  Linear hidden_, output_;
  DeviceTable devices_;
  // With full features only:
  Linear item_bias_;
  DeviceScorer scorer_;
};

}  // namespace berth::learn
