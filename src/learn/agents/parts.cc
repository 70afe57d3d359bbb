#include "learn/agents/parts.h"

namespace berth {

SequenceSettings sequence_settings(const Options& settings) {
  return {.inputs = 0,
          .hidden = settings.integer("hidden"),
          .both_ways = false,
          .aligned = settings.boolean("aligned"),
          .additive = settings.text("attention") == "additive",
          .full = settings.text("features") == "full",
          .segment = settings.has("segment") ? settings.integer("segment") : 0,
          .limit = settings.real("tanh"),
          .temperature = settings.real("temperature")};
}

SequenceInput whole_graph(const Case& of, const Tensor& items, bool full) {
  SequenceInput input{.items = items.unsqueeze(0),
                      .present = torch::ones({1, of.unit_count()}, of.shapes.options()),
                      .mask = of.allowed.unsqueeze(0),
                      .devices = {},
                      .pairs = {},
                      .ledgers = {}};
  if (full) {
    input.devices = of.devices;
    input.pairs = of.pairs.unsqueeze(0);
    input.ledgers = {of.ledger};
  }
  return input;
}

Drawn draw_sequence(SequencePlacer& placer, const SequenceInput& input, std::int64_t plans,
                    double noise, Random& random) {
  SequenceDecisions drawn = placer.draw(input, plans, noise, random);
  Decisions decisions;
  decisions.plans = plans;
  decisions.devices = drawn.devices;
  decisions.noise = drawn.noise;
  return {std::move(decisions), drawn.log_probs};
}

Scores score_sequence(SequencePlacer& placer, const SequenceInput& input,
                      const Decisions& decisions) {
  SequenceScores scores = placer.score(input, decisions.devices, decisions.noise);
  return {scores.log_probs, scores.entropy};
}

Decisions greedy_sequence(SequencePlacer& placer, const SequenceInput& input) {
  Decisions decisions;
  decisions.plans = 1;
  decisions.devices = placer.greedy(input).devices;
  return decisions;
}

Plan plan_from(const Case& of, const Tensor& devices) {
  const auto chosen = devices.accessor<std::int64_t, 1>();
  std::vector<DeviceId> by_unit;
  for (std::int64_t unit = 0; unit < of.unit_count(); ++unit) {
    by_unit.emplace_back(static_cast<std::size_t>(chosen[unit]));
  }
  return plan_of_units(of.units, by_unit);
}

}  // namespace berth
