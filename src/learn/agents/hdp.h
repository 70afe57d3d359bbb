// HDP: Mirhoseini et al., "A Hierarchical Model for Device Placement", ICLR 2018.
//
// A grouper, a feed-forward network, draws a group for every unit (op in the paper) from its type
// embedding, output shapes and neighbours. Then a placer, a bidirectional LSTM with an attentional
// decoder, draws a device for every group from the group's type counts, summed shapes and adjacency
// to other groups. Both learn from the same reward by REINFORCE: the probability of a plan is that
// of its grouping times that of its placement, and the gradient of its logarithm reaches both. Each
// update draws a few groupings and several placements per grouping.
//
// Works for clusters of any size, since devices are input. It does not carry over to other graphs:
// neighbours and groups are by number.
//
// Our choices: nothing is drawn for an empty group, since that would only add noise to the
// gradient. A unit that may not run on the device of its group takes its fastest allowed device.
// The preset `fast` goes beyond the paper: several groupings per update, all features, a decoder
// that reads the encoding of the group it places, attention by products, and a grouper that at
// first prefers groups of neighbours in topological order (`contiguous` is the weight of that bias
// on its logits). Groups that are not learned (`grouper`) show what the grouper is worth; the paper
// compares with random ones.
#pragma once

#include "learn/nets/sequence_placer.h"
#include "learn/policy.h"

namespace berth::learn {

struct HdpSettings {
  enum class Grouper { learned, contiguous, random };

  Grouper grouper = Grouper::learned;
  std::int64_t groups = 0;      // that the grouper may use
  std::int64_t groupings = 0;   // per update
  std::int64_t placements = 0;  // per grouping
  double contiguous = 0;        // weight of the bias to groups of neighbours
  std::int64_t embedding = 0;   // width of the embedding of op types
  std::int64_t grouper_hidden = 0;
  SequenceSettings placer;

  static HdpSettings parse(const Options& options);
};

class Hdp : public Policy {
 public:
  Hdp(const HdpSettings& settings, const Vocabulary& vocabulary);

  Drawn draw(const Case& of, std::int64_t most, double noise, Random& random) override;
  Scores score(const Case& of, const Decisions& decisions) override;
  Decisions greedy(const Case& of) override;
  Plan plan(const Case& of, const Decisions& decisions, std::int64_t plan) const override;
  std::int64_t batch() const override { return groupings_ * placements_; }

 private:
  // At most one per unit; the others would stay empty.
  std::int64_t groups_used(const Case& of) const;
  Tensor group_logits(const Case& of);  // [units, groups]
  // For groups that are not learned: [units].
  Tensor given_groups(const Case& of) const;
  // The groups of each grouping [groupings, units] as a sequence to place.
  SequenceInput gather(const Case& of, const Tensor& groups);

  HdpSettings::Grouper grouper_;
  std::int64_t groups_, groupings_, placements_;
  bool full_;
  double contiguous_;
  Tensor type_embedding_;  // [vocabulary, embedding]
  Linear hidden_, output_;
  SequencePlacer placer_;
};

}  // namespace berth::learn
