#include "learn/agents/sequence_policy.h"

#include <algorithm>

#include "learn/agents/parts.h"

namespace berth::learn {

void SequencePolicy::make_placer(const SequenceSettings& settings) {
  placer_ = part("placer", SequencePlacer(settings));
}

SequenceInput SequencePolicy::read(const Case& of) const {
  SequenceInput input{.items = items(of).unsqueeze(0),
                      .present = torch::ones({1, of.unit_count()}, of.shapes.options()),
                      .mask = of.allowed.unsqueeze(0),
                      .devices = {},
                      .pairs = {},
                      .ledgers = {}};
  if (full_) {
    input.devices = of.devices;
    input.pairs = of.pairs.unsqueeze(0);
    input.ledgers = {of.ledger};
  }
  return input;
}

Drawn SequencePolicy::draw(const Case& of, std::int64_t most, double noise, Random& random) {
  at::NoGradGuard guard;
  Decisions decisions;
  decisions.plans = std::min(most, samples_);
  SequenceDecisions drawn = placer_.draw(read(of), decisions.plans, noise, random);
  decisions.devices = drawn.devices;
  decisions.noise = drawn.noise;
  return {std::move(decisions), drawn.log_probs};
}

Scores SequencePolicy::score(const Case& of, const Decisions& decisions) {
  SequenceScores scores = placer_.score(read(of), decisions.devices, decisions.noise);
  return {scores.log_probs, scores.entropy};
}

Decisions SequencePolicy::greedy(const Case& of) {
  at::NoGradGuard guard;
  Decisions decisions;
  decisions.plans = 1;
  decisions.devices = placer_.greedy(read(of)).devices;
  return decisions;
}

Plan SequencePolicy::plan(const Case& of, const Decisions& decisions, std::int64_t plan) const {
  return plan_from(of, decisions.devices[plan]);
}

}  // namespace berth::learn
