#include "learn/nets/sequence_placer.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "learn/nets/additive_scores.h"
#include "learn/nets/chance.h"

namespace berth {
namespace {

constexpr std::int64_t kEmbedding = 32;
constexpr std::int64_t kPairHidden = 16;
constexpr auto kPairInputs = static_cast<std::int64_t>(Ledger::kNumbers + Features::kPairs);
// Logits begin near 0, so that a new policy tries all devices alike.
constexpr double kFirstSay = 0.1;

}  // namespace

SequencePlacer::SequencePlacer(const SequenceSettings& settings)
    : settings_(settings),
      width_(settings.both_ways ? 2 * settings.hidden : settings.hidden),
      embedding_(kEmbedding) {
  forward_ = part("forward", Lstm(settings.inputs, settings.hidden));
  if (settings.both_ways) {
    backward_ = part("backward", Lstm(settings.inputs, settings.hidden));
  }
  decoder_ = part("decoder", Lstm(embedding_ + (settings.aligned ? width_ : 0), width_));
  query_ = part("query", Linear(width_, width_));
  if (settings.additive) {
    key_ = part("key", Linear(width_, width_));
    additive_ = parameter("additive", glorot(1, width_));
  }
  output_ = part("output", Linear(2 * width_, embedding_, kFirstSay));
  slots_ = parameter("slots", glorot(kDeviceSlots, embedding_));
  first_ = parameter("first", glorot(1, embedding_));
  if (settings.full) {
    device_projection_ = part("device_projection",
                              Linear(static_cast<std::int64_t>(Features::kDevices), embedding_));
    pair_hidden_ = part("pair_hidden", Linear(kPairInputs, kPairHidden));
    pair_output_ = part("pair_output", Linear(kPairHidden, 1, kFirstSay));
  }
}

SequencePlacer::Encoded SequencePlacer::encode(const SequenceInput& input) {
  const Tensor items = input.items.transpose(0, 1).contiguous();
  const std::int64_t sequences = items.size(1);
  Encoded encoded;
  std::tie(encoded.memory, encoded.end) =
      forward_.run_on(forward_.project(items), forward_.zero_state(sequences));
  if (settings_.both_ways) {
    const auto [reversed, end] =
        backward_.run_on(backward_.project(items.flip({0})), backward_.zero_state(sequences));
    encoded.memory = at::cat({encoded.memory, reversed.flip({0})}, 2);
    encoded.end.hidden = at::cat({encoded.end.hidden, end.hidden}, 1);
    encoded.end.cell = at::cat({encoded.end.cell, end.cell}, 1);
  }
  encoded.keys = settings_.additive ? key_(encoded.memory) : encoded.memory;
  return encoded;
}

Tensor SequencePlacer::device_table(const SequenceInput& input) const {
  const std::int64_t devices = input.mask.size(2);
  const Tensor numbers = torch::arange(devices, at::kLong).remainder(kDeviceSlots);
  Tensor table = slots_.index_select(0, numbers);
  if (settings_.full) {
    table = table + device_projection_(input.devices);
  }
  return at::cat({table, first_});
}

// states: [sequences, queries, width]; the result likewise.
Tensor SequencePlacer::attend(const Tensor& states, const Encoded& encoded) {
  const Tensor queries = query_(states);
  const Tensor keys = encoded.keys.transpose(0, 1);  // [sequences, steps, width]
  Tensor scores;
  if (settings_.additive) {
    scores = additive_scores(queries, keys, additive_);
  } else {
    scores = queries.bmm(keys.transpose(1, 2)) / std::sqrt(static_cast<double>(width_));
  }
  return scores.softmax(-1).bmm(encoded.memory.transpose(0, 1));
}

Tensor SequencePlacer::device_logits(const Tensor& states, const Tensor& context,
                                     const Tensor& table) {
  const Tensor devices = table.narrow(0, 0, table.size(0) - 1);
  return output_(at::cat({states, context}, -1)).matmul(devices.t());
}

Tensor SequencePlacer::judge_pairs(const Tensor& numbers) {
  return pair_output_(pair_hidden_(numbers).tanh()).squeeze(-1);
}

SequenceDecisions SequencePlacer::draw(const SequenceInput& input, std::int64_t copies,
                                       double noise, Random& random) {
  return decode(input, copies, noise, &random);
}

SequenceDecisions SequencePlacer::greedy(const SequenceInput& input) {
  return decode(input, 1, 0, nullptr);
}

// The ledgers' numbers and the items' costs of one step, [rows, devices, kPairInputs], written to
// where `numbers` points; rows are `row_stride` apart.
template <class Real>
void SequencePlacer::read_pairs(const SequenceInput& input, std::int64_t step,
                                std::span<const Ledger> ledgers, Real* numbers,
                                std::int64_t row_stride) const {
  const std::int64_t sequences = input.pairs.size(0);
  const std::int64_t steps = input.pairs.size(1);
  const std::int64_t devices = input.pairs.size(2);
  constexpr auto kStatic = static_cast<std::int64_t>(Features::kPairs);
  const std::int64_t copies = static_cast<std::int64_t>(ledgers.size()) / sequences;
  const Real* const pairs = input.pairs.data_ptr<Real>();
  for (std::int64_t row = 0; row < sequences * copies; ++row) {
    Real* const to = numbers + row * row_stride;
    ledgers[static_cast<std::size_t>(row)].read(to, kPairInputs);
    const Real* from = pairs + ((row / copies) * steps + step) * devices * kStatic;
    for (std::int64_t device = 0; device < devices; ++device, from += kStatic) {
      std::copy(from, from + kStatic, to + device * kPairInputs + Ledger::kNumbers);
    }
  }
}

std::vector<Ledger> SequencePlacer::open_ledgers(const SequenceInput& input,
                                                 std::int64_t rows) const {
  std::vector<Ledger> ledgers;
  if (!settings_.full) return ledgers;
  const std::int64_t copies = rows / static_cast<std::int64_t>(input.ledgers.size());
  for (std::int64_t row = 0; row < rows; ++row) {
    ledgers.emplace_back(input.ledgers[static_cast<std::size_t>(row / copies)]);
  }
  return ledgers;
}

// Draws with a random generator; without one takes the likeliest.
SequenceDecisions SequencePlacer::decode(const SequenceInput& input, std::int64_t copies,
                                         double noise, Random* random) {
  at::NoGradGuard guard;
  const std::int64_t sequences = input.items.size(0);
  const std::int64_t steps = input.items.size(1);
  const std::int64_t devices = input.mask.size(2);
  const std::int64_t rows = sequences * copies;
  const auto none = torch::empty({rows, 0}, input.items.options());
  if (steps == 0) return {.devices = none.to(at::kLong), .log_probs = none, .noise = {}};
  const Encoded encoded = encode(input);
  const Tensor table = device_table(input);
  const auto real = table.options().requires_grad(false);
  const auto spread = [&](const Tensor& of_sequences) {
    return copies == 1 ? of_sequences.clone() : of_sequences.repeat_interleave(copies, 0);
  };
  // What each input contributes to the decoder's gates, worked out once.
  const Tensor& weights = decoder_.input_weights;
  const Tensor from_device =
      decoder_.prepared(table.matmul(weights.narrow(1, 0, embedding_).t()) + decoder_.bias);
  Tensor from_memory;
  if (settings_.aligned) {
    from_memory =
        decoder_.prepared(encoded.memory.matmul(weights.narrow(1, embedding_, width_).t()));
  }
  const Tensor prepared = decoder_.prepared_weights();
  LstmState state = {spread(encoded.end.hidden), spread(encoded.end.cell)};
  Tensor last = torch::full({rows}, devices, at::kLong);
  std::vector<Ledger> ledgers = open_ledgers(input, rows);
  Tensor pair_numbers;
  if (settings_.full) pair_numbers = torch::empty({rows, devices, kPairInputs}, real);

  SequenceDecisions decisions{.devices = torch::empty({rows, steps}, at::kLong),
                              .log_probs = torch::zeros({rows, steps}, real),
                              .noise = {}};
  if (noise > 0) decisions.noise = torch::zeros({rows, steps, devices}, real);
  auto chosen = decisions.devices.accessor<std::int64_t, 2>();
  const auto mask = input.mask.accessor<bool, 3>();
  const Tensor forbidden = input.mask.repeat_interleave(copies, 0).logical_not();
  std::vector<double> odds(static_cast<std::size_t>(devices));

  AT_DISPATCH_FLOATING_TYPES(real.dtype().toScalarType(), "decode", [&] {
    auto log_probs = decisions.log_probs.accessor<scalar_t, 2>();
    const auto present = input.present.accessor<scalar_t, 2>();
    for (std::int64_t step = 0; step < steps; ++step) {
      Tensor gates = from_device.index_select(0, last);
      if (settings_.aligned) gates.add_(spread(from_memory[step]));
      Lstm::advance(gates, prepared, state);
      const Tensor states = state.hidden.view({sequences, copies, width_});
      Tensor logits = device_logits(states, attend(states, encoded), table).view({rows, devices});
      if (settings_.full) {
        read_pairs(input, step, ledgers, pair_numbers.data_ptr<scalar_t>(), devices * kPairInputs);
        logits.add_(judge_pairs(pair_numbers));
      }
      logits = limited(logits, forbidden.select(1, step), settings_.limit, settings_.temperature)
                   .contiguous();
      if (noise > 0) {
        const Tensor added = noise_like(logits, noise, *random);
        decisions.noise.select(1, step).copy_(added);
        logits.add_(added);
      }
      const scalar_t* logit = logits.data_ptr<scalar_t>();
      for (std::int64_t row = 0; row < rows; ++row, logit += devices) {
        std::size_t device = 0;
        if (present[row / copies][step] != 0) {
          for (std::int64_t i = 0; i < devices; ++i) {
            // Of a policy gone astray (not finite) all choices are equal, but what is forbidden
            // stays so.
            const double value = std::isfinite(logit[i]) ? double(logit[i]) : 0;
            odds[static_cast<std::size_t>(i)] = mask[row / copies][step][i] ? value : kForbidden;
          }
          softmax(odds);
          device = random ? pick(odds, random->uniform())
                          : static_cast<std::size_t>(std::max_element(odds.begin(), odds.end()) -
                                                     odds.begin());
          log_probs[row][step] = static_cast<scalar_t>(std::log(odds[device]));
        } else if (step > 0) {
          device = static_cast<std::size_t>(chosen[row][step - 1]);
        }
        chosen[row][step] = static_cast<std::int64_t>(device);
        if (settings_.full) ledgers[static_cast<std::size_t>(row)].place(device);
      }
      last = decisions.devices.select(1, step);
    }
  });
  return decisions;
}

// The ledgers as they stood before every step: [rows, steps, devices, kPairInputs].
Tensor SequencePlacer::replay(const SequenceInput& input, const Tensor& devices) const {
  const std::int64_t rows = devices.size(0);
  const std::int64_t steps = devices.size(1);
  const std::int64_t row_stride = input.mask.size(2) * kPairInputs;
  Tensor numbers =
      torch::empty({steps, rows, input.mask.size(2), kPairInputs}, input.pairs.options());
  std::vector<Ledger> ledgers = open_ledgers(input, rows);
  const auto chosen = devices.accessor<std::int64_t, 2>();
  AT_DISPATCH_FLOATING_TYPES(numbers.scalar_type(), "replay", [&] {
    for (std::int64_t step = 0; step < steps; ++step) {
      read_pairs(input, step, ledgers, numbers.data_ptr<scalar_t>() + step * rows * row_stride,
                 row_stride);
      for (std::int64_t row = 0; row < rows; ++row) {
        ledgers[static_cast<std::size_t>(row)].place(static_cast<std::size_t>(chosen[row][step]));
      }
    }
  });
  return numbers.transpose(0, 1);
}

SequenceScores SequencePlacer::score(const SequenceInput& input, const Tensor& devices,
                                     const Tensor& noise) {
  const std::int64_t sequences = input.items.size(0);
  const std::int64_t steps = input.items.size(1);
  const std::int64_t rows = devices.size(0);
  const std::int64_t copies = rows / sequences;
  const Encoded encoded = encode(input);
  const Tensor table = device_table(input);
  const Tensor& weights = decoder_.input_weights;
  const Tensor from_device = table.matmul(weights.narrow(1, 0, embedding_).t()) + decoder_.bias;
  const Tensor before = at::cat(
      {torch::full({rows, 1}, table.size(0) - 1, at::kLong), devices.narrow(1, 0, steps - 1)}, 1);
  Tensor gates = from_device.index_select(0, before.t().reshape({-1})).view({steps, rows, -1});
  if (settings_.aligned) {
    const Tensor from_memory = encoded.memory.matmul(weights.narrow(1, embedding_, width_).t());
    gates = gates + from_memory.repeat_interleave(copies, 1);
  }
  const LstmState start = {encoded.end.hidden.repeat_interleave(copies, 0),
                           encoded.end.cell.repeat_interleave(copies, 0)};
  const Tensor states = decoder_.run(gates, start)
                            .view({steps, sequences, copies, width_})
                            .permute({1, 2, 0, 3})
                            .reshape({sequences, copies * steps, width_});
  Tensor logits = device_logits(states, attend(states, encoded), table).view({rows, steps, -1});
  if (settings_.full) logits = logits + judge_pairs(replay(input, devices));
  const Tensor forbidden = input.mask.repeat_interleave(copies, 0).logical_not();
  logits = limited(logits, forbidden, settings_.limit, settings_.temperature);
  if (noise.defined()) logits = logits + noise;
  const Tensor log_odds = logits.masked_fill(forbidden, kForbidden).log_softmax(-1);
  const Tensor present = input.present.repeat_interleave(copies, 0);
  return {.log_probs = log_odds.gather(-1, devices.unsqueeze(-1)).squeeze(-1) * present,
          .entropy = -(log_odds.exp() * log_odds).sum(-1) * present};
}

}  // namespace berth
