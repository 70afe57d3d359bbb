#include "learn/agents/go.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "learn/agents/parts.h"

namespace berth::learn {
namespace {

// An untrained refinement must leave nearly all units where they are. Otherwise the passes before
// it have no effect on the plan and learn nothing: on 60 ops and 2xP100, two passes then end at the
// mean of their first samples after 4,000 evaluations, one pass 21% below.
constexpr double kStay = 5;

}  // namespace

GoSettings GoSettings::parse(const Options& options) {
  const GoSettings settings = {.samples = options.integer("samples"),
                               .passes = options.integer("passes"),
                               .full = options.text("features") == "full",
                               .limit = LogitLimit::parse(options),
                               .embedding = options.integer("embedding"),
                               .width = options.integer("hidden"),
                               .sage_layers = options.integer("sage_layers"),
                               .attention_layers = options.integer("layers"),
                               .heads = options.integer("heads"),
                               .segment = options.integer("segment"),
                               .modulated = options.boolean("modulation")};
  if (settings.width % settings.heads != 0) {
    throw InputError(fmt::format(
        "the option hidden is {}, which is not a multiple of the {} heads; choose one that is",
        settings.width, settings.heads));
  }
  return settings;
}

Go::Go(const GoSettings& settings, const Vocabulary& vocabulary)
    : samples_(settings.samples),
      passes_(settings.passes),
      full_(settings.full),
      limit_(settings.limit) {
  const std::int64_t embedding = settings.embedding;
  const std::int64_t width = settings.width;
  type_embedding_ =
      parameter("type_embedding", glorot(static_cast<std::int64_t>(vocabulary.size()), embedding));
  const std::int64_t further = full_ ? Features::kNumbers : Case::kNeighbourNumbers;
  input_ = part("input", Linear(embedding + Features::kShapes + further, width));
  const std::int64_t described = full_ ? Features::kDevices : DeviceTable::kWidth;
  if (passes_ > 1) chosen_ = part("chosen", Linear(described, width));
  sage_ = part(
      "sage",
      GraphSage({.width = width, .layers = settings.sage_layers, .directions = full_ ? 2 : 1}));
  for (std::int64_t i = 0; i < settings.attention_layers; ++i) {
    attention_.push_back(
        part(fmt::format("attention{}", i), SegmentAttention({.width = width,
                                                              .heads = settings.heads,
                                                              .segment = settings.segment,
                                                              .modulated = settings.modulated,
                                                              .output_scale = kInitialWeight})));
  }
  norm_ = part("norm", LayerNorm(width));
  if (full_) {
    placer_ = part("placer", ScheduledPlacer(width, limit_));
  } else {
    output_ = part("output", Linear(width, DeviceTable::kWidth));
    devices_ = part("devices", DeviceTable(false));
    if (passes_ > 1) stay_ = parameter("stay", torch::full({1}, kStay));
  }
}

std::int64_t Go::decided(const Case& of) const {
  return full_ ? static_cast<std::int64_t>(of.decisions->decisions()) : of.unit_count();
}

Tensor Go::of_pass(const Case& of, const Tensor& all, std::int64_t pass) const {
  return all.narrow(1, pass * decided(of), decided(of));
}

Tensor Go::before_pass(const Case& of, const Tensor& devices, std::int64_t pass) const {
  return pass > 0 ? of_pass(of, devices, pass - 1) : Tensor();
}

Tensor Go::read(const Case& of, const Tensor& before) const {
  const std::vector<Tensor> columns = {of.types.matmul(type_embedding_), of.shapes,
                                       full_ ? of.numbers : of.neighbours};
  Tensor own = input_(at::cat(columns, 1)).unsqueeze(1);  // [units, readings, width]
  if (before.defined()) {
    const Tensor described = full_ ? of.devices : devices_(of.device_count(), of.devices);
    const Tensor drawn = chosen_(described).index_select(0, before.t().reshape({-1}));
    own = own + drawn.view({of.unit_count(), before.size(0), -1});
  }
  const std::vector<const Neighbours*> ways =
      full_ ? std::vector{&of.feeders, &of.readers} : std::vector{&of.around};
  // The unit's own features are added to those of its neighbours, so that units stay distinct even
  // where the maxima over their neighbours are equal.
  Tensor nodes = (own + sage_(own.relu(), ways)).transpose(0, 1);
  // A mean, so that the embedding of a graph does not grow with its size.
  const Tensor graph = nodes.mean(1, true);
  for (const SegmentAttention& layer : attention_) nodes = layer(nodes, graph);
  return norm_(nodes);
}

Tensor Go::logits_at_once(const Case& of, const Tensor& devices, std::int64_t pass) const {
  const Tensor before = before_pass(of, devices, pass);
  const Tensor nodes = read(of, before);
  Tensor logits = output_(nodes).matmul(devices_(of.device_count(), of.devices).t());
  if (pass > 0) logits = logits + stay_ * at::one_hot(before, of.device_count());
  return limited(logits, of.allowed.logical_not(), limit_);
}

Tensor Go::embeddings_in_order(const Case& of, const Tensor& devices, std::int64_t pass) const {
  Tensor before = before_pass(of, devices, pass);
  if (before.defined()) {
    // Units that are not decided follow others; where they were matters to nobody.
    before = torch::zeros({before.size(0), of.unit_count()}, at::kLong)
                 .index_copy(1, of.decided_units, before);
  }
  return read(of, before).index_select(1, of.decided_units);
}

Drawn Go::decide(const Case& of, std::int64_t plans, double noise, Random* random) const {
  at::NoGradGuard guard;
  return full_ ? decide_in_order(of, plans, random) : decide_at_once(of, plans, noise, random);
}

Drawn Go::decide_at_once(const Case& of, std::int64_t plans, double noise, Random* random) const {
  const Tensor forbidden = of.allowed.logical_not();
  const std::int64_t decisions = passes_ * of.unit_count();
  Drawn drawn;
  drawn.decisions.plans = plans;
  drawn.decisions.devices = torch::zeros({plans, decisions}, at::kLong);
  drawn.log_probs = torch::zeros({plans, decisions}, of.shapes.options());
  if (noise > 0) {
    drawn.decisions.noise =
        torch::zeros({plans, decisions, of.device_count()}, of.shapes.options());
  }
  for (std::int64_t pass = 0; pass < passes_; ++pass) {
    Tensor logits = logits_at_once(of, drawn.decisions.devices, pass).expand({plans, -1, -1});
    if (noise > 0) {
      const Tensor added = noise_like(logits, noise, *random);
      of_pass(of, drawn.decisions.noise, pass).copy_(added);
      logits = logits + added;
    }
    const Tensor odds = logits.masked_fill(forbidden, kForbidden).log_softmax(-1);
    const Tensor devices = random ? draw_rows(odds, *random) : odds.argmax(-1);
    of_pass(of, drawn.decisions.devices, pass).copy_(devices);
    of_pass(of, drawn.log_probs, pass).copy_(odds.gather(-1, devices.unsqueeze(-1)).squeeze(-1));
  }
  return drawn;
}

Drawn Go::decide_in_order(const Case& of, std::int64_t plans, Random* random) const {
  std::vector<Random> randoms;
  for (std::int64_t plan = 0; random && plan < plans; ++plan) randoms.push_back(random->fork());
  std::vector<Tensor> devices, log_probs, numbers, allowed;
  Drawn drawn;
  drawn.decisions.plans = plans;
  for (std::int64_t pass = 0; pass < passes_; ++pass) {
    const Tensor so_far = devices.empty() ? Tensor() : at::cat(devices, 1);
    ScheduledPass made = placer_.draw(of, embeddings_in_order(of, so_far, pass),
                                      before_pass(of, so_far, pass), plans, randoms);
    devices.push_back(made.devices);
    log_probs.push_back(made.log_probs);
    numbers.push_back(made.numbers);
    allowed.push_back(made.allowed);
    drawn.decisions.made = std::move(made.plans);
  }
  drawn.decisions.devices = at::cat(devices, 1);
  drawn.decisions.numbers = at::cat(numbers, 1);
  drawn.decisions.allowed = at::cat(allowed, 1);
  drawn.log_probs = at::cat(log_probs, 1).to(of.shapes.scalar_type());
  return drawn;
}

Drawn Go::draw(const Case& of, std::int64_t most, double noise, Random& random) {
  return decide(of, std::min(most, samples_), noise, &random);
}

Decisions Go::greedy(const Case& of) { return decide(of, 1, 0, nullptr).decisions; }

Scores Go::score(const Case& of, const Decisions& decisions) {
  const Tensor forbidden = of.allowed.logical_not();
  std::vector<Tensor> log_probs, entropy;
  for (std::int64_t pass = 0; pass < passes_; ++pass) {
    Tensor odds;
    if (full_) {
      odds =
          placer_.score(embeddings_in_order(of, decisions.devices, pass),
                        of_pass(of, decisions.numbers, pass), of_pass(of, decisions.allowed, pass));
    } else {
      Tensor logits = logits_at_once(of, decisions.devices, pass);
      if (decisions.noise.defined()) logits = logits + of_pass(of, decisions.noise, pass);
      odds = logits.masked_fill(forbidden, kForbidden).log_softmax(-1);
      odds = odds.expand({decisions.plans, -1, -1});
    }
    const Tensor devices = of_pass(of, decisions.devices, pass);
    log_probs.push_back(odds.gather(-1, devices.unsqueeze(-1)).squeeze(-1));
    entropy.push_back(-(odds.exp() * odds).sum(-1));
  }
  return {at::cat(log_probs, 1), at::cat(entropy, 1)};
}

void Go::complete(const Case& of, Decisions& decisions) const {
  if (!full_ || decisions.numbers.defined()) return;
  std::vector<Tensor> numbers, allowed;
  for (std::int64_t pass = 0; pass < passes_; ++pass) {
    const ScheduledPass read = placer_.replay(of, of_pass(of, decisions.devices, pass),
                                              before_pass(of, decisions.devices, pass));
    numbers.push_back(read.numbers);
    allowed.push_back(read.allowed);
  }
  decisions.numbers = at::cat(numbers, 1);
  decisions.allowed = at::cat(allowed, 1);
}

Plan Go::plan(const Case& of, const Decisions& decisions, std::int64_t plan) const {
  if (full_) return decisions.made[static_cast<std::size_t>(plan)];
  return plan_from(of, of_pass(of, decisions.devices, passes_ - 1)[plan]);
}

}  // namespace berth::learn
