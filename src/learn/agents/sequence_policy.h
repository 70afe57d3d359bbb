// A policy that reads all units as one sequence and writes their devices with a sequence placer
// (ColocRL, Mars). Each of them defines the numbers that describe a unit.
#pragma once

#include "learn/nets/sequence_placer.h"
#include "learn/policy.h"

namespace berth::learn {

class SequencePolicy : public Policy {
 public:
  Drawn draw(const Case& of, std::int64_t most, double noise, Random& random) override;
  Scores score(const Case& of, const Decisions& decisions) override;
  Decisions greedy(const Case& of) override;
  Plan plan(const Case& of, const Decisions& decisions, std::int64_t plan) const override;
  std::int64_t batch() const override { return samples_; }

 protected:
  SequencePolicy(bool full, std::int64_t samples) : full_(full), samples_(samples) {}
  // To be called once, when the number of inputs per item is known.
  void make_placer(const SequenceSettings& settings);
  virtual Tensor items(const Case& of) const = 0;  // [units, inputs]

  const bool full_;  // features

 private:
  SequenceInput read(const Case& of) const;

  std::int64_t samples_;
  SequencePlacer placer_;
};

}  // namespace berth::learn
