// Placeto: Addanki et al., "Learning Generalizable Device Placement Algorithms for Distributed
// Machine Learning", NeurIPS 2019.
//
// An episode begins with some placement and visits every unit once, in topological order. At each
// step a graph network (message_passing.h) reads the units as they are placed now, with marks for
// those visited and the one whose turn it is, and that one gets a device, its old one or another.
// The reward of a step is by how much it shortens the step time, so all steps from t on are worth
// what the final placement is better than the one before t. With rewards=terminal, the default of
// the preset `fast`, all count for the final placement alone: rewards of steps take an evaluation
// each and yet add up to the same, so for the price of one such episode a dozen others can be had.
// REINFORCE, with a baseline for every step of the episode: the mean over the last updates as
// published, or over the other episodes of the batch (`baseline`).
//
// Serves graphs and clusters of any size: nothing is by number of unit, and devices are input.
//
// Ours: three of four episodes of a batch begin with every unit on its fastest device, where the
// greedy plan begins, the fourth with a random placement. Neighbours and poolings are averaged, not
// summed. With features=full a step also sees the state of the devices (ledger.h) as the units
// visited so far have filled them. Intermediate placements are simulated whole: a change early in
// the step leaves little of it as it was (docs/search.md), so there is nothing to gain by
// simulating only what changed.
#pragma once

#include "learn/nets/device_scorer.h"
#include "learn/nets/device_table.h"
#include "learn/nets/message_passing.h"
#include "learn/policy.h"

namespace berth::learn {

struct PlacetoSettings {
  std::int64_t samples = 0;   // episodes per update
  bool full = false;          // features
  bool step_rewards = false;  // every step is rewarded, not the final placement alone
  double limit = 0;           // of logits; 0: none
  double temperature = 1;
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
  // Of states that are placements [states, units] and the unit whose turn it is [states]: logits
  // [states, devices] without what the scorer adds, and the item_view [states, 1, width] for it.
  struct Seen {
    Tensor logits;
    Tensor item_views;
  };
  Seen look(const Case& of, const Tensor& placed, const Tensor& current) const;
  Drawn decide(const Case& of, const Tensor& starts, double noise, Random* random) const;

  std::int64_t samples_;
  bool full_, by_steps_;
  double limit_, temperature_;
  MessagePassing network_;
  Linear hidden_, output_, item_view_;
  DeviceTable devices_;
  DeviceScorer scorer_;
};

}  // namespace berth::learn
