#include "learn/agents/colocrl.h"

#include <algorithm>

#include "learn/agents/parts.h"

namespace berth {

ColocRl::ColocRl(const Options& settings, const Vocabulary& vocabulary)
    : samples_(settings.integer("samples")), full_(settings.text("features") == "full") {
  type_embedding_ = parameter("type_embedding", glorot(static_cast<std::int64_t>(vocabulary.size()),
                                                       settings.integer("embedding")));
  SequenceSettings sequence = sequence_settings(settings);
  sequence.inputs = settings.integer("embedding") + Features::kShapes +
                    settings.integer("adjacency") + (full_ ? Features::kNumbers : 0);
  placer_ = part("placer", SequencePlacer(sequence));
}

SequenceInput ColocRl::read(const Case& of) {
  std::vector<Tensor> columns = {of.types.matmul(type_embedding_), of.shapes, of.adjacency};
  if (full_) columns.push_back(of.numbers);
  SequenceInput input{.items = at::cat(columns, 1).unsqueeze(0),
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

Drawn ColocRl::draw(const Case& of, std::int64_t most, double noise, Random& random) {
  at::NoGradGuard guard;
  const std::int64_t plans = std::min(most, samples_);
  SequenceDecisions drawn = placer_.draw(read(of), plans, noise, random);
  Decisions decisions;
  decisions.plans = plans;
  decisions.devices = drawn.devices;
  decisions.noise = drawn.noise;
  return {std::move(decisions), drawn.log_probs};
}

Scores ColocRl::score(const Case& of, const Decisions& decisions) {
  SequenceScores scores = placer_.score(read(of), decisions.devices, decisions.noise);
  return {scores.log_probs, scores.entropy};
}

Decisions ColocRl::greedy(const Case& of) {
  at::NoGradGuard guard;
  Decisions decisions;
  decisions.plans = 1;
  decisions.devices = placer_.greedy(read(of)).devices;
  return decisions;
}

Plan ColocRl::plan(const Case& of, const Decisions& decisions, std::int64_t plan) const {
  const auto chosen = decisions.devices.accessor<std::int64_t, 2>()[plan];
  std::vector<DeviceId> devices;
  for (std::int64_t unit = 0; unit < of.unit_count(); ++unit) {
    devices.emplace_back(static_cast<std::size_t>(chosen[unit]));
  }
  return plan_of_units(of.units, devices);
}

}  // namespace berth
