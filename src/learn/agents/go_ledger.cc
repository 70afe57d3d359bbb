#include "learn/agents/go_ledger.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "learn/agents/placement_state.h"
#include "learn/nets/chance.h"

namespace berth::learn {
namespace {

// An untrained refinement must leave nearly all units where they are. Otherwise the passes before
// it would have no effect on the plan and could learn nothing.
constexpr double kStayOnLedger = 3;

Tensor exact(const Tensor& values) { return values.to(at::kDouble).contiguous(); }

}  // namespace

GoLedger::GoLedger(const GoSettings& settings, const Vocabulary& vocabulary)
    : samples_(settings.samples), passes_(settings.passes), limit_(settings.limit) {
  const std::int64_t embedding = settings.embedding;
  const std::int64_t width = settings.width;
  type_embedding_ =
      parameter("type_embedding", glorot(static_cast<std::int64_t>(vocabulary.size()), embedding));
  input_ = part("input", Linear(embedding + Features::kShapes + Features::kNumbers, width));
  sage_ = part("sage", GraphSage({.width = width, .layers = settings.sage_layers}));
  for (std::int64_t i = 0; i < settings.attention_layers; ++i) {
    attention_.push_back(
        part(fmt::format("attention{}", i), SegmentAttention({.width = width,
                                                              .heads = settings.heads,
                                                              .segment = settings.segment,
                                                              .modulated = settings.modulated})));
  }
  norm_ = part("norm", LayerNorm(width));
  output_ = part("output", Linear(width, DeviceTable::kWidth, kInitialWeight));
  devices_ = part("devices", DeviceTable(true));
  item_bias_ = part("opinion", Linear(width, DeviceScorer::kWidth));
  scorer_ = part("judge", DeviceScorer(kInitialWeight));
  stay_ = parameter("stay", torch::full({1}, kStayOnLedger));
}

GoLedger::UnitOutput GoLedger::read(const Case& of) const {
  const Tensor own = input_(at::cat({of.types.matmul(type_embedding_), of.shapes, of.numbers}, 1));
  // The unit's own features are added to those of its neighbours, so that units stay distinct even
  // where the maxima over their neighbours are equal.
  Tensor nodes = own + sage_(own.relu(), std::vector{&of.around});
  // A mean, so that the embedding of a graph does not grow with its size.
  const Tensor graph = nodes.mean(0);
  for (const SegmentAttention& layer : attention_) {
    nodes = layer(nodes.unsqueeze(0), graph.view({1, 1, -1})).squeeze(0);
  }
  nodes = norm_(nodes);
  return {.logits = output_(nodes).matmul(devices_(of.device_count(), of.devices).t()),
          .item_biases = item_bias_(nodes).unsqueeze(1),
          .forbidden = of.allowed.logical_not()};
}

Drawn GoLedger::decide(const Case& of, std::int64_t plans, double noise, Random* random) const {
  at::NoGradGuard guard;
  const std::int64_t units = of.unit_count();
  const std::int64_t devices = of.device_count();
  const UnitOutput seen = read(of);
  // Logits of one decision at a time in plain doubles: a call of the framework per decision would
  // cost a hundred times the arithmetic.
  const Tensor all_logits = exact(seen.logits);
  const Tensor all_item_biases = exact(seen.item_biases);
  const DeviceScorer::Plain scorer(scorer_);
  const double stay = stay_.item<double>();
  Tensor log_probs = torch::zeros({plans, passes_ * units}, at::kDouble);
  Decisions decisions;
  decisions.plans = plans;
  decisions.devices = torch::zeros({plans, passes_ * units}, at::kLong);
  Tensor noises;
  if (noise > 0) noises = torch::zeros({plans, passes_ * units, devices}, at::kDouble);

  std::vector<double> numbers(static_cast<std::size_t>(devices * DeviceScorer::kInputs));
  std::vector<double> logits(static_cast<std::size_t>(devices));
  for (std::int64_t plan = 0; plan < plans; ++plan) {
    PlacementState state(of, true);
    for (std::int64_t step = 0; step < passes_ * units; ++step) {
      const std::int64_t unit = step % units;
      const std::uint8_t* const allowed =
          &of.features.allowed[static_cast<std::size_t>(unit * devices)];
      state.look(numbers.data());
      for (std::int64_t device = 0; device < devices; ++device) {
        const double* const of_device =
            &numbers[static_cast<std::size_t>(device * DeviceScorer::kInputs)];
        double logit = all_logits.data_ptr<double>()[unit * devices + device];
        logit +=
            scorer(of_device, all_item_biases.data_ptr<double>() + unit * DeviceScorer::kWidth);
        // In the first pass a unit has no device yet.
        if (step >= units) logit += stay * of_device[DeviceScorer::kMarked];
        logits[static_cast<std::size_t>(device)] = logit;
      }
      limit(logits, allowed, limit_);
      if (noise > 0) {
        double* const added = noises[plan][step].data_ptr<double>();
        add_noise(logits, allowed, noise, *random, added);
      }
      const std::size_t device = choose(logits, allowed, random);
      log_probs.data_ptr<double>()[plan * passes_ * units + step] = std::log(logits[device]);
      decisions.devices.data_ptr<std::int64_t>()[plan * passes_ * units + step] =
          static_cast<std::int64_t>(device);
      state.place(device);
    }
  }
  const at::ScalarType real = of.shapes.scalar_type();
  if (noise > 0) decisions.noise = noises.to(real);
  return {std::move(decisions), log_probs.to(real)};
}

std::vector<Tensor> GoLedger::replay(const Case& of, const Tensor& devices) const {
  const std::int64_t units = of.unit_count();
  const Tensor chosen = devices.contiguous();
  std::vector<Tensor> passes;
  for (std::int64_t pass = 0; pass < passes_; ++pass) {
    passes.push_back(torch::empty(
        {devices.size(0), units, of.device_count(), DeviceScorer::kInputs}, of.shapes.options()));
  }
  AT_DISPATCH_FLOATING_TYPES(of.shapes.scalar_type(), "replay", [&] {
    const std::int64_t* device = chosen.data_ptr<std::int64_t>();
    const std::int64_t size = of.device_count() * DeviceScorer::kInputs;
    for (std::int64_t plan = 0; plan < devices.size(0); ++plan) {
      PlacementState state(of, true);
      for (const Tensor& pass : passes) {
        scalar_t* numbers = pass.data_ptr<scalar_t>() + plan * units * size;
        for (std::int64_t unit = 0; unit < units; ++unit, numbers += size, ++device) {
          state.look(numbers);
          state.place(static_cast<std::size_t>(*device));
        }
      }
    }
  });
  return passes;
}

Drawn GoLedger::draw(const Case& of, std::int64_t most, double noise, Random& random) {
  return decide(of, std::min(most, samples_), noise, &random);
}

Decisions GoLedger::greedy(const Case& of) { return decide(of, 1, 0, nullptr).decisions; }

Scores GoLedger::score(const Case& of, const Decisions& decisions) {
  const UnitOutput seen = read(of);
  const std::int64_t units = of.unit_count();
  const std::vector<Tensor> numbers = replay(of, decisions.devices);
  std::vector<Tensor> log_probs;
  Tensor entropy;  // of the first pass: refinements need not explore
  for (std::int64_t pass = 0; pass < passes_; ++pass) {
    const Tensor& state = numbers[static_cast<std::size_t>(pass)];
    Tensor logits = seen.logits + scorer_(state, seen.item_biases);
    if (pass > 0) logits = logits + stay_ * state.select(3, DeviceScorer::kMarked);
    logits = limited(logits, seen.forbidden, limit_);
    if (decisions.noise.defined()) {
      logits = logits + decisions.noise.narrow(1, pass * units, units);
    }
    const Tensor odds = logits.masked_fill(seen.forbidden, kForbidden).log_softmax(-1);
    const Tensor devices = decisions.devices.narrow(1, pass * units, units);
    log_probs.push_back(odds.gather(-1, devices.unsqueeze(-1)).squeeze(-1));
    if (pass == 0) entropy = -(odds.exp() * odds).sum(-1);
  }
  return {at::cat(log_probs, 1), entropy};
}

Plan GoLedger::plan(const Case& of, const Decisions& decisions, std::int64_t plan) const {
  const std::int64_t units = of.unit_count();
  return plan_from(of, decisions.devices[plan].narrow(0, (passes_ - 1) * units, units));
}

}  // namespace berth::learn
