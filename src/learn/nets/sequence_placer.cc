#include "learn/nets/sequence_placer.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "learn/nets/additive_scores.h"

namespace berth::learn {
namespace {

constexpr std::int64_t kPairInputs = DeviceScorer::kInputs;

// One step's decisions from its logits [rows, devices]. Where nothing is placed, the device of the
// step before is repeated, so that later steps do not depend on a choice that nobody made.
void choose_step(const Tensor& logits, const SequenceInput& input, std::int64_t step,
                 Random* random, SequenceDecisions& decisions) {
  const std::int64_t copies = logits.size(0) / input.items.size(0);
  // In plain doubles: calls of the framework for every row would cost more than the draw.
  const Tensor exact = logits.to(at::kDouble).contiguous();
  const Tensor log_probs = torch::zeros({logits.size(0)}, at::kDouble);
  const Tensor mask = input.mask.select(1, step).to(at::kByte).contiguous();
  const Tensor is_present = input.present.select(1, step).gt(0);
  const auto present = is_present.accessor<bool, 1>();
  auto chosen = decisions.devices.accessor<std::int64_t, 2>();
  for (std::int64_t row = 0; row < logits.size(0); ++row) {
    const std::int64_t sequence = row / copies;
    if (!present[sequence]) {
      chosen[row][step] = step > 0 ? chosen[row][step - 1] : 0;
      continue;
    }
    const double* const values = exact.data_ptr<double>() + row * logits.size(1);
    std::vector<double> odds(values, values + logits.size(1));
    const std::uint8_t* const allowed = mask.data_ptr<std::uint8_t>() + sequence * mask.size(1);
    const std::size_t device = choose(odds, allowed, random);
    chosen[row][step] = static_cast<std::int64_t>(device);
    log_probs.data_ptr<double>()[row] = std::log(odds[device]);
  }
  decisions.log_probs.select(1, step).copy_(log_probs);
}

LstmState detached(const LstmState& state) { return {state.hidden.detach(), state.cell.detach()}; }

}  // namespace

SequencePlacer::SequencePlacer(const SequenceSettings& settings)
    : settings_(settings),
      width_(settings.both_ways ? 2 * settings.hidden : settings.hidden),
      embedding_(DeviceTable::kWidth) {
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
  output_ = part("output", Linear(2 * width_, embedding_, kInitialWeight));
  devices_ = part("devices", DeviceTable(settings.full));
  first_ = parameter("first", glorot(1, embedding_));
  if (settings.full) scorer_ = part("judge", DeviceScorer(kInitialWeight));
}

std::int64_t SequencePlacer::segment_length(const SequenceInput& input) const {
  const std::int64_t steps = std::max<std::int64_t>(1, input.items.size(1));
  return settings_.segment == 0 ? steps : std::min(settings_.segment, steps);
}

SequencePlacer::Encoded SequencePlacer::encode(const SequenceInput& input, std::int64_t begin,
                                               std::int64_t end, const Encoded* before) {
  const Tensor items = input.items.slice(1, begin, end).transpose(0, 1).contiguous();
  const std::int64_t sequences = items.size(1);
  Encoded encoded;
  // As published: gradients stay inside a segment.
  const LstmState start = before ? detached(before->forward) : forward_.zero_state(sequences);
  std::tie(encoded.memory, encoded.forward) = forward_.run_on(forward_.project(items), start);
  encoded.end = encoded.forward;
  if (settings_.both_ways) {
    const auto [reversed, back] =
        backward_.run_on(backward_.project(items.flip({0})), backward_.zero_state(sequences));
    encoded.memory = at::cat({encoded.memory, reversed.flip({0})}, 2);
    encoded.end.hidden = at::cat({encoded.end.hidden, back.hidden}, 1);
    encoded.end.cell = at::cat({encoded.end.cell, back.cell}, 1);
  }
  encoded.keys = settings_.additive ? key_(encoded.memory) : encoded.memory;
  return encoded;
}

Tensor SequencePlacer::device_table(const SequenceInput& input) const {
  const Tensor table = devices_(input.mask.size(2), input.devices);
  return at::cat({table, first_});
}

// states: [sequences, queries, width]; the result likewise.
Tensor SequencePlacer::attend(const Tensor& states, const Encoded& encoded) {
  if (!settings_.attention) return torch::zeros_like(states);
  const Tensor queries = query_(states);
  const Tensor keys = encoded.keys.transpose(0, 1);  // [sequences, steps, width]
  Tensor scores;
  if (settings_.additive) {
    scores = additive_scores(queries, keys, additive_);
  } else {
    // Divided by the root of the width, or the softmax of wide vectors would saturate.
    scores = queries.bmm(keys.transpose(1, 2)) / std::sqrt(static_cast<double>(width_));
  }
  return scores.softmax(-1).bmm(encoded.memory.transpose(0, 1));
}

Tensor SequencePlacer::device_logits(const Tensor& states, const Tensor& context,
                                     const Tensor& table) {
  // The last row stands for "no device before the first step" and cannot be chosen.
  const Tensor devices = table.narrow(0, 0, table.size(0) - 1);
  return output_(at::cat({states, context}, -1)).matmul(devices.t());
}

SequenceDecisions SequencePlacer::draw(const SequenceInput& input, std::int64_t copies,
                                       double noise, Random& random) {
  return decode(input, copies, noise, &random);
}

SequenceDecisions SequencePlacer::greedy(const SequenceInput& input) {
  return decode(input, 1, 0, nullptr);
}

// The ledgers' numbers and the items' costs of one step, into [rows, devices, kPairInputs].
void SequencePlacer::read_pairs(const SequenceInput& input, std::int64_t step,
                                std::span<const Ledger> ledgers, const Tensor& numbers) const {
  const std::int64_t rows = numbers.size(0);
  const std::int64_t devices = numbers.size(1);
  const std::int64_t copies = rows / input.pairs.size(0);
  constexpr auto kStatic = static_cast<std::int64_t>(Features::kPairs);
  AT_DISPATCH_FLOATING_TYPES(numbers.scalar_type(), "read_pairs", [&] {
    scalar_t* to = numbers.data_ptr<scalar_t>();
    const scalar_t* const pairs = input.pairs.data_ptr<scalar_t>();
    for (std::int64_t row = 0; row < rows; ++row, to += devices * kPairInputs) {
      ledgers[static_cast<std::size_t>(row)].read(to, kPairInputs);
      const std::int64_t item = (row / copies) * input.pairs.size(1) + step;
      const scalar_t* from = pairs + item * devices * kStatic;
      for (std::int64_t device = 0; device < devices; ++device, from += kStatic) {
        std::copy(from, from + kStatic, to + device * kPairInputs + Ledger::kNumbers);
      }
    }
  });
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
  const auto real = input.items.options();
  SequenceDecisions decisions{.devices = torch::empty({rows, steps}, at::kLong),
                              .log_probs = torch::zeros({rows, steps}, real),
                              .noise = {}};
  if (steps == 0) return decisions;
  if (noise > 0) decisions.noise = torch::zeros({rows, steps, devices}, real);
  const auto spread = [&](const Tensor& of_sequences) {
    return copies == 1 ? of_sequences.clone() : of_sequences.repeat_interleave(copies, 0);
  };
  // Products with the weights are computed once per device and item, not once per step and row.
  const Tensor table = device_table(input);
  const Tensor from_device = decoder_.prepared(gates_from_devices(table));
  Encoded encoded;
  Tensor from_memory;
  const std::int64_t length = segment_length(input);
  const Tensor weights = decoder_.prepared_weights();
  const Tensor forbidden = spread(input.mask).logical_not();
  LstmState state;
  Tensor last = torch::full({rows}, devices, at::kLong);
  std::vector<Ledger> ledgers = open_ledgers(input, rows);
  Tensor pair_numbers;
  if (settings_.full) pair_numbers = torch::empty({rows, devices, kPairInputs}, real);

  for (std::int64_t step = 0; step < steps; ++step) {
    if (step % length == 0) {
      encoded = encode(input, step, std::min(step + length, steps), step > 0 ? &encoded : nullptr);
      if (step == 0) state = {spread(encoded.end.hidden), spread(encoded.end.cell)};
      if (settings_.aligned) from_memory = decoder_.prepared(gates_from_memory(encoded));
    }
    Tensor gates = from_device.index_select(0, last);
    if (settings_.aligned) gates.add_(spread(from_memory[step % length]));
    Lstm::advance(gates, weights, state);
    const Tensor states = state.hidden.view({sequences, copies, width_});
    Tensor logits = device_logits(states, attend(states, encoded), table).view({rows, devices});
    if (settings_.full) {
      read_pairs(input, step, ledgers, pair_numbers);
      logits.add_(scorer_(pair_numbers, {}));
    }
    logits = limited(logits, forbidden.select(1, step), settings_.limit);
    if (noise > 0) {
      const Tensor added = noise_like(logits, noise, *random);
      decisions.noise.select(1, step).copy_(added);
      logits.add_(added);
    }
    choose_step(logits, input, step, random, decisions);
    last = decisions.devices.select(1, step);
    const auto chosen = last.accessor<std::int64_t, 1>();
    for (std::size_t row = 0; row < ledgers.size(); ++row) {
      ledgers[row].place(static_cast<std::size_t>(chosen[static_cast<std::int64_t>(row)]));
    }
  }
  return decisions;
}

// The ledgers before every step: [rows, steps, devices, kPairInputs].
Tensor SequencePlacer::replay(const SequenceInput& input, const Tensor& devices) const {
  const std::int64_t rows = devices.size(0);
  const std::int64_t steps = devices.size(1);
  const Tensor numbers =
      torch::empty({steps, rows, input.mask.size(2), kPairInputs}, input.pairs.options());
  std::vector<Ledger> ledgers = open_ledgers(input, rows);
  const auto chosen = devices.accessor<std::int64_t, 2>();
  for (std::int64_t step = 0; step < steps; ++step) {
    read_pairs(input, step, ledgers, numbers[step]);
    for (std::int64_t row = 0; row < rows; ++row) {
      ledgers[static_cast<std::size_t>(row)].place(static_cast<std::size_t>(chosen[row][step]));
    }
  }
  return numbers.transpose(0, 1);
}

// What the device before contributes to the decoder's gates, by device, and with it the bias.
Tensor SequencePlacer::gates_from_devices(const Tensor& table) const {
  return table.matmul(decoder_.input_weights.narrow(1, 0, embedding_).t()) + decoder_.bias;
}

// What the encoding of the item contributes: [steps, sequences, 4 width].
Tensor SequencePlacer::gates_from_memory(const Encoded& encoded) const {
  return encoded.memory.matmul(decoder_.input_weights.narrow(1, embedding_, width_).t());
}

SequenceScores SequencePlacer::score(const SequenceInput& input, const Tensor& devices,
                                     const Tensor& noise) {
  const std::int64_t sequences = input.items.size(0);
  const std::int64_t steps = input.items.size(1);
  const std::int64_t rows = devices.size(0);
  const std::int64_t copies = rows / sequences;
  const Tensor table = device_table(input);
  // The decisions are known, so the inputs of all steps are known too, and a segment is one call.
  const Tensor before = at::cat(
      {torch::full({rows, 1}, table.size(0) - 1, at::kLong), devices.narrow(1, 0, steps - 1)}, 1);
  const Tensor from_device = gates_from_devices(table);
  const std::int64_t length = segment_length(input);
  std::vector<Tensor> parts;
  Encoded encoded;
  LstmState state;
  for (std::int64_t begin = 0; begin < steps; begin += length) {
    const std::int64_t some = std::min(length, steps - begin);
    encoded = encode(input, begin, begin + some, begin > 0 ? &encoded : nullptr);
    Tensor gates = from_device.index_select(0, before.narrow(1, begin, some).t().reshape({-1}))
                       .view({some, rows, -1});
    if (settings_.aligned) gates = gates + gates_from_memory(encoded).repeat_interleave(copies, 1);
    if (begin == 0) {
      state = {encoded.end.hidden.repeat_interleave(copies, 0),
               encoded.end.cell.repeat_interleave(copies, 0)};
    }
    Tensor hidden;
    std::tie(hidden, state) = decoder_.run_on(gates, state);
    // As the encoder: gradients stay inside a segment.
    state = detached(state);
    const Tensor states = hidden.view({some, sequences, copies, width_})
                              .permute({1, 2, 0, 3})
                              .reshape({sequences, copies * some, width_});
    parts.push_back(device_logits(states, attend(states, encoded), table).view({rows, some, -1}));
  }
  Tensor logits = at::cat(parts, 1);
  if (settings_.full) logits = logits + scorer_(replay(input, devices), {});
  const Tensor forbidden = input.mask.repeat_interleave(copies, 0).logical_not();
  logits = limited(logits, forbidden, settings_.limit);
  if (noise.defined()) logits = logits + noise;
  const Tensor log_odds = logits.masked_fill(forbidden, kForbidden).log_softmax(-1);
  const Tensor present = input.present.repeat_interleave(copies, 0);
  // Steps that place nothing have probability 1 and no entropy.
  return {.log_probs = log_odds.gather(-1, devices.unsqueeze(-1)).squeeze(-1) * present,
          .entropy = -(log_odds.exp() * log_odds).sum(-1) * present};
}

}  // namespace berth::learn
