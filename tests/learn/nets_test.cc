#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <map>

#include "gradient_check.h"
#include "learn/nets/sequence_placer.h"
#include "support/small_problem.h"

namespace berth::learn {
namespace {

constexpr auto kDouble = at::kDouble;

Tensor noise(at::IntArrayRef shape) { return torch::randn(shape, kDouble); }

struct LstmSetup {
  LstmSetup(std::int64_t steps, std::int64_t batch, std::int64_t width) : lstm(4, width) {
    lstm.to(kDouble);
    at::NoGradGuard guard;
    lstm.bias.add_(noise({4 * width}));
    inputs = noise({steps, batch, 4});
    start = {noise({batch, width}), noise({batch, width})};
    for (Tensor* leaf : {&inputs, &start.hidden, &start.cell}) leaf->requires_grad_();
    of_outputs = noise({steps, batch, width});
    of_hidden = noise({batch, width});
    of_cell = noise({width, batch});
  }

  NamedTensors leaves() const {
    NamedTensors all = lstm.parameters();
    all.insert(all.end(), {{"inputs", inputs}, {"hidden", start.hidden}, {"cell", start.cell}});
    return all;
  }
  // The cell goes in transposed: gradients need not come as the rows they belong to.
  Tensor loss(const Tensor& outputs, const LstmState& end) const {
    return (outputs * of_outputs).sum() + (end.hidden * of_hidden).sum() +
           (end.cell.t() * of_cell).sum();
  }
  std::pair<Tensor, LstmState> run() const { return lstm.run_on(lstm.project(inputs), start); }

  Lstm lstm;
  Tensor inputs;
  LstmState start;
  Tensor of_outputs, of_hidden, of_cell;
};

TEST(Lstm, IsTheFrameworksOwn) {
  at::manual_seed(1);
  for (const auto& [steps, batch, width] :
       {std::array<std::int64_t, 3>{1, 1, 1}, {9, 3, 5}, {12, 1, 4}, {2, 6, 3}}) {
    const LstmSetup setup(steps, batch, width);
    const auto [outputs, end] = setup.run();
    const Tensor no_bias = torch::zeros({4 * width}, kDouble);
    const auto [outputs_right, hidden_right, cell_right] =
        at::lstm(setup.inputs, {setup.start.hidden.unsqueeze(0), setup.start.cell.unsqueeze(0)},
                 {setup.lstm.input_weights, setup.lstm.hidden_weights, setup.lstm.bias, no_bias},
                 true, 1, 0, false, false, false);
    const LstmState end_right = {hidden_right.squeeze(0), cell_right.squeeze(0)};
    EXPECT_LT(difference(outputs, outputs_right), 1e-12);
    EXPECT_LT(difference(end.hidden, end_right.hidden), 1e-12);
    EXPECT_LT(difference(end.cell, end_right.cell), 1e-12);
    const auto found = gradients_of(setup.loss(outputs, end), setup.leaves());
    const auto right = gradients_of(setup.loss(outputs_right, end_right), setup.leaves());
    for (std::size_t i = 0; i < right.size(); ++i) {
      EXPECT_LT(difference(found[i], right[i]), 1e-11) << setup.leaves()[i].first;
      EXPECT_GT(largest(right[i]), 0) << setup.leaves()[i].first;
    }
  }
}

TEST(Lstm, GradientsAreThoseOfFiniteDifferences) {
  at::manual_seed(2);
  Random random(2);
  const LstmSetup setup(6, 2, 3);
  expect_gradients([&] { return setup.loss(setup.run().first, setup.run().second); },
                   setup.leaves(), random);
  // Of its results only some may be in use.
  expect_gradients([&] { return setup.run().second.cell.square().sum(); }, setup.leaves(), random);
  expect_gradients([&] { return setup.run().first[2].square().sum(); }, setup.leaves(), random);
}

TEST(Lstm, StepByStepIsTheSame) {
  at::manual_seed(3);
  for (const auto real : {at::kDouble, at::kFloat}) {
    LstmSetup setup(8, 3, 5);
    setup.lstm.to(real);
    at::NoGradGuard guard;
    LstmState state = {setup.start.hidden.to(real, false, true),
                       setup.start.cell.to(real, false, true)};
    const Tensor projected = setup.lstm.project(setup.inputs.to(real));
    const auto [outputs, end] = setup.lstm.run_on(projected, state);
    const Tensor prepared = setup.lstm.prepared_weights();
    const double tolerance = real == at::kDouble ? 1e-12 : 1e-5;
    for (std::int64_t step = 0; step < 8; ++step) {
      Tensor gates = setup.lstm.prepared(projected[step]);
      Lstm::advance(gates, prepared, state);
      EXPECT_LT(difference(state.hidden, outputs[step]), tolerance);
    }
    EXPECT_LT(difference(state.cell, end.cell), tolerance);
  }
}

// Two sequences over the units of a random problem, with masks and absent items at random; the
// second takes the units in another order.
struct Sequences {
  Sequences(std::uint64_t seed, std::size_t steps, std::size_t devices)
      : problem(small_problem(seed, steps, devices)),
        units(place::make_units(problem, "ops")),
        features(make_features(problem, units, Vocabulary())) {
    const auto height = static_cast<std::int64_t>(steps);
    const auto width = static_cast<std::int64_t>(devices);
    Random random(seed);
    std::vector<std::int64_t> order(steps);
    for (std::size_t i = 0; i < steps; ++i) order[i] = static_cast<std::int64_t>(i);
    random.shuffle(std::span(order));
    input.items = noise({2, height, 4});
    input.present = torch::ones({2, height}, kDouble);
    input.mask = torch::ones({2, height, width}, at::kBool);
    for (std::int64_t row = 0; row < 2; ++row) {
      for (std::int64_t step = 0; step < height; ++step) {
        if (random.chance(0.25)) input.present[row][step] = 0;
        const std::int64_t kept = random.between(0, width - 1);
        for (std::int64_t device = 0; device < width; ++device) {
          if (device != kept && random.chance(0.3)) input.mask[row][step][device] = false;
        }
      }
    }
    input.devices = noise({width, static_cast<std::int64_t>(Features::kDevices)});
    input.pairs = noise({2, height, width, static_cast<std::int64_t>(Features::kPairs)});
    const std::vector<TensorGroup> tensor_groups = tensor_groups_of(problem.graph(), units);
    input.ledgers = {ledger_items(features, tensor_groups),
                     ledger_items(features, tensor_groups, order.data(), steps)};
  }
  Sequences(const Sequences&) = delete;
  Sequences& operator=(const Sequences&) = delete;

  bool present(std::int64_t row, std::int64_t step) const {
    return input.present[row][step].item<double>() != 0;
  }
  SequenceInput only(std::int64_t row) const {
    return {.items = input.items.narrow(0, row, 1),
            .present = input.present.narrow(0, row, 1),
            .mask = input.mask.narrow(0, row, 1),
            .devices = input.devices,
            .pairs = input.pairs.narrow(0, row, 1).contiguous(),
            .ledgers = {input.ledgers[static_cast<std::size_t>(row)]}};
  }
  SequenceInput in_float() const {
    SequenceInput copy = input;
    for (Tensor* tensor : {&copy.items, &copy.present, &copy.devices, &copy.pairs}) {
      *tensor = tensor->to(at::kFloat);
    }
    return copy;
  }

  Problem problem;
  place::Units units;
  Features features;
  SequenceInput input;
};

SequenceSettings settings_of(int number) {
  return {.inputs = 4,
          .hidden = 5,
          .both_ways = (number & 1) != 0,
          .aligned = (number & 2) != 0,
          .additive = (number & 4) != 0,
          .full = (number & 8) != 0,
          .limit = {.size = (number & 1) == ((number >> 1) & 1) ? 3.0 : 0.0,
                    .temperature = 0.7,
                    .of_odds = (number & 4) != 0}};
}

// Weights larger than a policy begins with, so that what it decides depends on everything.
SequencePlacer placer_of(const SequenceSettings& settings, at::ScalarType real = kDouble) {
  SequencePlacer placer(settings);
  placer.to(real);
  at::NoGradGuard guard;
  for (const auto& [name, tensor] : placer.parameters()) {
    Tensor values = tensor;
    values.add_(noise(values.sizes()).to(real) * 0.3);
  }
  return placer;
}

Tensor with_choice(const Tensor& devices, std::int64_t step, std::int64_t device) {
  Tensor changed = devices.clone();
  changed.select(1, step).fill_(device);
  return changed;
}

// Both ways or one, aligned or not, either attention, either features.
void for_all_settings(const std::function<void(const SequenceSettings&)>& check) {
  for (int number = 0; number < 16; ++number) {
    SCOPED_TRACE(fmt::format("settings {}", number));
    at::manual_seed(static_cast<std::uint64_t>(number));
    check(settings_of(number));
  }
}

TEST(SequencePlacer, ScoresWhatItDrewAsItDrewIt) {
  for_all_settings([](const SequenceSettings& settings) {
    const Sequences on(1, 7, 3);
    for (const double part : {0.0, 0.8}) {
      for (const auto real : {at::kDouble, at::kFloat}) {
        Random random(5);
        SequencePlacer placer = placer_of(settings, real);
        const SequenceInput input = real == at::kDouble ? on.input : on.in_float();
        const SequenceDecisions drawn = placer.draw(input, 5, part, random);
        ASSERT_EQ(drawn.devices.size(0), 10);
        ASSERT_EQ(drawn.noise.defined(), part > 0);
        const SequenceScores scores = placer.score(input, drawn.devices, drawn.noise);
        EXPECT_LT(difference(scores.log_probs, drawn.log_probs), real == at::kDouble ? 1e-9 : 1e-4);
        EXPECT_LT(drawn.log_probs.min().item<double>(), -0.05);
        if (part > 0) {
          // The noise is part of what was drawn from.
          const SequenceScores without = placer.score(input, drawn.devices, {});
          EXPECT_GT(difference(without.log_probs, drawn.log_probs), 1e-2);
        }
      }
    }
  });
}

TEST(SequencePlacer, GradientsAreThoseOfFiniteDifferences) {
  for_all_settings([](const SequenceSettings& settings) {
    Random random(6);
    Sequences on(2, 5, 3);
    SequencePlacer placer = placer_of(settings);
    const SequenceDecisions drawn = placer.draw(on.input, 2, 0.5, random);
    on.input.items.requires_grad_();
    const Tensor of_log_probs = noise({4, 5});
    const Tensor of_entropy = noise({4, 5});
    NamedTensors leaves = placer.parameters();
    leaves.emplace_back("items", on.input.items);
    expect_gradients(
        [&] {
          const SequenceScores scores = placer.score(on.input, drawn.devices, drawn.noise);
          return (scores.log_probs * of_log_probs).sum() + (scores.entropy * of_entropy).sum();
        },
        leaves, random);
  });
}

TEST(SequencePlacer, GivesAllProbabilityToWhatIsAllowed) {
  for_all_settings([](const SequenceSettings& settings) {
    Random random(7);
    const Sequences on(3, 6, 4);
    SequencePlacer placer = placer_of(settings);
    const SequenceDecisions drawn = placer.draw(on.input, 20, 0, random);
    int forbidden = 0;
    for (std::int64_t step = 0; step < 6; ++step) {
      Tensor sum = torch::zeros({40}, kDouble);
      Tensor entropy = torch::zeros({40}, kDouble);
      for (std::int64_t device = 0; device < 4; ++device) {
        const SequenceScores scores =
            placer.score(on.input, with_choice(drawn.devices, step, device), {});
        const Tensor log_probs = scores.log_probs.select(1, step).detach();
        sum += log_probs.exp();
        entropy = scores.entropy.select(1, step).detach();
        for (std::int64_t row = 0; row < 40; ++row) {
          if (!on.present(row / 20, step)) continue;
          if (on.input.mask[row / 20][step][device].item<bool>()) continue;
          ++forbidden;
          EXPECT_LT(log_probs[row].item<double>(), -1e8);
          EXPECT_NE(drawn.devices[row][step].item<std::int64_t>(), device);
        }
      }
      for (std::int64_t row = 0; row < 40; ++row) {
        if (!on.present(row / 20, step)) continue;
        EXPECT_NEAR(sum[row].item<double>(), 1, 1e-12);
        const double choices = on.input.mask[row / 20][step].sum().item<double>();
        EXPECT_GE(entropy[row].item<double>(), 0);
        EXPECT_LE(entropy[row].item<double>(), std::log(choices) + 1e-12);
      }
    }
    EXPECT_GT(forbidden, 0);
  });
}

TEST(SequencePlacer, WhatIsAbsentCountsForNothing) {
  for_all_settings([](const SequenceSettings& settings) {
    Random random(8);
    const Sequences on(4, 9, 3);
    SequencePlacer placer = placer_of(settings);
    const SequenceDecisions drawn = placer.draw(on.input, 3, 0.5, random);
    const SequenceScores scores = placer.score(on.input, drawn.devices, drawn.noise);
    int absent = 0;
    for (std::int64_t row = 0; row < 6; ++row) {
      for (std::int64_t step = 0; step < 9; ++step) {
        const bool counts = on.present(row / 3, step) &&
                            on.input.mask[row / 3][step].sum().item<std::int64_t>() > 1;
        absent += !on.present(row / 3, step);
        EXPECT_EQ(drawn.log_probs[row][step].item<double>() != 0, counts);
        EXPECT_EQ(scores.log_probs[row][step].item<double>() != 0, counts);
        EXPECT_EQ(scores.entropy[row][step].item<double>() != 0, counts);
      }
    }
    EXPECT_GT(absent, 0);
  });
}

TEST(SequencePlacer, GreedyTakesTheLikeliestEachTime) {
  for_all_settings([](const SequenceSettings& settings) {
    const Sequences on(5, 6, 4);
    SequencePlacer placer = placer_of(settings);
    const SequenceDecisions greedy = placer.greedy(on.input);
    ASSERT_EQ(greedy.devices.size(0), 2);
    const Tensor best = placer.score(on.input, greedy.devices, {}).log_probs;
    EXPECT_LT(difference(best, greedy.log_probs), 1e-9);
    for (std::int64_t step = 0; step < 6; ++step) {
      for (std::int64_t device = 0; device < 4; ++device) {
        const Tensor other =
            placer.score(on.input, with_choice(greedy.devices, step, device), {}).log_probs;
        for (std::int64_t row = 0; row < 2; ++row) {
          EXPECT_LE(other[row][step].item<double>(), best[row][step].item<double>() + 1e-9);
        }
      }
    }
    EXPECT_TRUE(placer.greedy(on.input).devices.equal(greedy.devices));
  });
}

TEST(SequencePlacer, SequencesKnowNothingOfEachOther) {
  for_all_settings([](const SequenceSettings& settings) {
    Random random(9);
    const Sequences on(6, 6, 3);
    SequencePlacer placer = placer_of(settings);
    const SequenceDecisions drawn = placer.draw(on.input, 4, 0.5, random);
    const SequenceScores together = placer.score(on.input, drawn.devices, drawn.noise);
    for (std::int64_t row = 0; row < 2; ++row) {
      const SequenceScores alone = placer.score(on.only(row), drawn.devices.narrow(0, 4 * row, 4),
                                                drawn.noise.narrow(0, 4 * row, 4));
      EXPECT_LT(difference(alone.log_probs, together.log_probs.narrow(0, 4 * row, 4)), 1e-11);
      EXPECT_LT(difference(alone.entropy, together.entropy.narrow(0, 4 * row, 4)), 1e-11);
    }
    const Tensor greedy = placer.greedy(on.input).devices;
    EXPECT_TRUE(placer.greedy(on.only(1)).devices.equal(greedy.narrow(0, 1, 1)));
  });
}

TEST(SequencePlacer, ServesAnyNumberOfDevicesAndSteps) {
  for_all_settings([](const SequenceSettings& settings) {
    Random random(10);
    SequencePlacer placer = placer_of(settings);
    for (const auto& [steps, devices] :
         {std::pair<std::size_t, std::size_t>{1, 2}, {20, 1}, {3, 5}, {4, 70}}) {
      const Sequences on(7, steps, devices);
      const SequenceDecisions drawn = placer.draw(on.input, 3, 0, random);
      EXPECT_LT(drawn.devices.max().item<std::int64_t>(), static_cast<std::int64_t>(devices));
      const SequenceScores scores = placer.score(on.input, drawn.devices, {});
      EXPECT_LT(difference(scores.log_probs, drawn.log_probs), 1e-9) << steps << " " << devices;
    }
  });
}

TEST(SequencePlacer, DrawsWithTheOddsItTells) {
  for_all_settings([](const SequenceSettings& settings) {
    Random random(11);
    // What is absent comes before what is not, and yet must have no part in its odds.
    Sequences on(8, 3, 3);
    on.input.present.fill_(1);
    on.input.present[0][0] = 0;
    on.input.present[1][1] = 0;
    SequencePlacer placer = placer_of(settings);
    constexpr std::int64_t kDraws = 1500;
    const SequenceDecisions drawn = placer.draw(on.input, kDraws, 0, random);
    const Tensor told = drawn.log_probs.sum(1).exp();
    std::map<std::vector<std::int64_t>, std::pair<double, double>> seen;  // odds and count
    for (std::int64_t row = 0; row < 2 * kDraws; ++row) {
      std::vector<std::int64_t> key = {row / kDraws};
      for (std::int64_t step = 0; step < 3; ++step) {
        const bool here = on.present(row / kDraws, step);
        key.push_back(here ? drawn.devices[row][step].item<std::int64_t>() : -1);
      }
      auto& [odds, count] = seen[key];
      if (count > 0) {
        ASSERT_NEAR(told[row].item<double>(), odds, 1e-9);
      }
      odds = told[row].item<double>();
      count += 1;
    }
    EXPECT_GE(seen.size(), 4u);
    for (const auto& [key, entry] : seen) {
      const auto& [odds, count] = entry;
      EXPECT_NEAR(count, kDraws * odds, 5 * std::sqrt(kDraws * odds * (1 - odds)) + 1);
    }
  });
}

TEST(SequencePlacer, MakesNothingOfWhatForbiddenDevicesAre) {
  at::manual_seed(12);
  Random random(12);
  Sequences on(9, 6, 4);
  SequenceSettings settings = settings_of(14);
  settings.limit.size = 0;  // limited logits are centred over all devices
  SequencePlacer placer = placer_of(settings);
  const SequenceDecisions drawn = placer.draw(on.input, 3, 0, random);
  const Tensor before = placer.score(on.input, drawn.devices, {}).log_probs;
  const Tensor pairs = on.input.pairs.clone();
  const Tensor forbidden = on.input.mask.logical_not().unsqueeze(-1).expand(pairs.sizes());
  on.input.pairs = at::where(forbidden, noise(pairs.sizes()), pairs);
  EXPECT_LT(difference(placer.score(on.input, drawn.devices, {}).log_probs, before), 1e-12);
  on.input.pairs = at::where(forbidden, pairs, noise(pairs.sizes()));
  EXPECT_GT(difference(placer.score(on.input, drawn.devices, {}).log_probs, before), 1e-3);
}

TEST(SequencePlacer, ReusesSlotsBeyondTheLast) {
  at::manual_seed(13);
  Random random(13);
  Sequences on(10, 3, 66);
  on.input.mask.fill_(true);
  on.input.present.fill_(1);
  SequencePlacer placer = placer_of(settings_of(0));
  const Tensor devices = placer.draw(on.input, 2, 0, random).devices;
  const auto score = [&](std::int64_t device) {
    return placer.score(on.input, with_choice(devices, 0, device), {}).log_probs;
  };
  EXPECT_LT(difference(score(1), score(65)), 1e-12);
  EXPECT_GT(difference(score(1), score(2)), 1e-3);
}

TEST(SequencePlacer, OneSeedIsOneDraw) {
  at::manual_seed(14);
  const Sequences on(11, 8, 4);
  SequencePlacer placer = placer_of(settings_of(15));
  const auto draw = [&](std::uint64_t seed) {
    Random random(seed);
    return placer.draw(on.input, 4, 0.3, random);
  };
  EXPECT_TRUE(draw(1).devices.equal(draw(1).devices));
  EXPECT_TRUE(draw(1).noise.equal(draw(1).noise));
  EXPECT_FALSE(draw(1).devices.equal(draw(2).devices));
}

}  // namespace
}  // namespace berth::learn
