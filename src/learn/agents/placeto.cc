#include "learn/agents/placeto.h"

#include <algorithm>
#include <cmath>

#include "learn/agents/placement_state.h"
#include "learn/nets/chance.h"

namespace berth::learn {
namespace {

constexpr std::int64_t kFlags = 2;  // visited, and current
// Of Features::numbers, what the published policy sees of a unit: its cost and its output bytes.
constexpr std::int64_t kPaperNumbers[] = {0, 2};

Tensor start_placements(const Case& of, std::int64_t plans) {
  const std::vector<std::int64_t>& start = of.listed.empty() ? of.fastest : of.listed;
  return torch::tensor(start, at::kLong).view({1, of.unit_count()}).repeat({plans, 1});
}

}  // namespace

PlacetoSettings PlacetoSettings::parse(const Options& options) {
  return {.samples = options.integer("samples"),
          .full = options.text("features") == "full",
          .step_rewards = options.text("rewards") == "steps",
          .limit = LogitLimit::parse(options),
          .width = options.integer("hidden"),
          .rounds = options.integer("rounds")};
}

Placeto::Placeto(const PlacetoSettings& settings)
    : samples_(settings.samples),
      full_(settings.full),
      by_steps_(settings.step_rewards),
      limit_(settings.limit) {
  const std::int64_t width = settings.width;
  const std::int64_t numbers =
      full_ ? static_cast<std::int64_t>(Features::kNumbers + Features::kPairs)
            : static_cast<std::int64_t>(std::size(kPaperNumbers));
  network_ = part("network",
                  MessagePassing(numbers + DeviceTable::kWidth + kFlags, width, settings.rounds));
  hidden_ = part("hidden", Linear(8 * width, 8 * width));
  output_ = part("output", Linear(8 * width, DeviceTable::kWidth, kInitialWeight));
  devices_ = part("devices", DeviceTable(full_));
  if (!full_) return;
  item_bias_ = part("opinion", Linear(8 * width, DeviceScorer::kWidth));
  scorer_ = part("judge", DeviceScorer(kInitialWeight));
}

Placeto::UnitOutput Placeto::look(const Case& of, const Tensor& placed,
                                  const Tensor& current) const {
  const std::int64_t states = placed.size(0);
  const std::int64_t units = of.unit_count();
  const Tensor table = devices_(of.device_count(), of.devices);
  const Tensor numbers = torch::arange(units, at::kLong).unsqueeze(1);
  const Tensor now = placed.t().contiguous();  // [units, states], as all below
  const at::ScalarType real = of.shapes.scalar_type();
  std::vector<Tensor> columns;
  if (full_) {
    columns.push_back(of.numbers.unsqueeze(1).expand({-1, states, -1}));
    const Tensor pair = (numbers * of.device_count() + now).view({-1});
    columns.push_back(of.pairs.view({-1, Features::kPairs})
                          .index_select(0, pair)
                          .view({units, states, Features::kPairs}));
  } else {
    for (const std::int64_t column : kPaperNumbers) {
      columns.push_back(of.numbers.narrow(1, column, 1).unsqueeze(1).expand({-1, states, -1}));
    }
  }
  columns.push_back(table.index_select(0, now.view({-1})).view({units, states, -1}));
  columns.push_back(numbers.lt(current).to(real).unsqueeze(2));
  columns.push_back(numbers.eq(current).to(real).unsqueeze(2));
  const Tensor embeddings = network_.embed(at::cat(columns, 2), *of.reach);
  const Tensor hidden = hidden_(network_.read(embeddings, current, *of.reach)).relu();
  return {output_(hidden).matmul(table.t()), full_ ? item_bias_(hidden).unsqueeze(1) : Tensor()};
}

Drawn Placeto::decide(const Case& of, const Tensor& starts, double noise, Random* random) const {
  at::NoGradGuard guard;
  const std::int64_t plans = starts.size(0);
  const std::int64_t units = of.unit_count();
  const std::int64_t devices = of.device_count();
  Decisions decisions;
  decisions.plans = plans;
  decisions.starts = starts.contiguous();
  decisions.devices = decisions.starts.clone();
  Tensor log_probs = torch::zeros({plans, units}, at::kDouble);
  Tensor noises;
  if (noise > 0) noises = torch::zeros({plans, units, devices}, at::kDouble);
  std::optional<DeviceScorer::Plain> scorer;
  if (full_) scorer.emplace(scorer_);
  std::vector<PlacementState> states;
  for (std::int64_t plan = 0; full_ && plan < plans; ++plan) {
    states.emplace_back(of, decisions.starts.data_ptr<std::int64_t>() + plan * units);
  }
  std::vector<double> numbers(static_cast<std::size_t>(devices * DeviceScorer::kInputs));
  std::vector<double> logits(static_cast<std::size_t>(devices));
  for (std::int64_t unit = 0; unit < units; ++unit) {
    // decisions.devices is the placement as it is now.
    const UnitOutput seen = look(of, decisions.devices, torch::full({plans}, unit, at::kLong));
    const Tensor all_logits = seen.logits.to(at::kDouble).contiguous();
    const Tensor all_item_biases = full_ ? seen.item_biases.to(at::kDouble).contiguous() : Tensor();
    const std::uint8_t* const allowed =
        &of.features.allowed[static_cast<std::size_t>(unit * devices)];
    for (std::int64_t plan = 0; plan < plans; ++plan) {
      const double* const own = all_logits.data_ptr<double>() + plan * devices;
      logits.assign(own, own + devices);
      if (full_) {
        states[static_cast<std::size_t>(plan)].look(numbers.data());
        for (std::size_t device = 0; device < logits.size(); ++device) {
          logits[device] +=
              (*scorer)(&numbers[device * DeviceScorer::kInputs],
                        all_item_biases.data_ptr<double>() + plan * DeviceScorer::kWidth);
        }
      }
      limit(logits, allowed, limit_);
      if (noise > 0) {
        add_noise(logits, allowed, noise, *random, noises[plan][unit].data_ptr<double>());
      }
      const std::size_t device = choose(logits, allowed, random);
      log_probs.data_ptr<double>()[plan * units + unit] = std::log(logits[device]);
      decisions.devices.data_ptr<std::int64_t>()[plan * units + unit] =
          static_cast<std::int64_t>(device);
      if (full_) states[static_cast<std::size_t>(plan)].place(device);
    }
  }
  const at::ScalarType real = of.shapes.scalar_type();
  if (noise > 0) decisions.noise = noises.to(real);
  return {std::move(decisions), log_probs.to(real)};
}

Drawn Placeto::draw(const Case& of, std::int64_t most, double noise, Random& random) {
  return decide(of, start_placements(of, std::min(most, samples_)), noise, &random);
}

Decisions Placeto::greedy(const Case& of) {
  return decide(of, start_placements(of, 1), 0, nullptr).decisions;
}

Tensor Placeto::replay(const Case& of, const Decisions& decisions) const {
  const std::int64_t units = of.unit_count();
  const std::int64_t size = of.device_count() * DeviceScorer::kInputs;
  Tensor numbers = torch::empty({decisions.plans * units, of.device_count(), DeviceScorer::kInputs},
                                of.shapes.options());
  const Tensor starts = decisions.starts.contiguous();
  const Tensor chosen = decisions.devices.contiguous();
  AT_DISPATCH_FLOATING_TYPES(numbers.scalar_type(), "placeto_replay", [&] {
    scalar_t* to = numbers.data_ptr<scalar_t>();
    for (std::int64_t plan = 0; plan < decisions.plans; ++plan) {
      PlacementState state(of, starts.data_ptr<std::int64_t>() + plan * units);
      for (std::int64_t unit = 0; unit < units; ++unit, to += size) {
        state.look(to);
        state.place(static_cast<std::size_t>(chosen.data_ptr<std::int64_t>()[plan * units + unit]));
      }
    }
  });
  return numbers;
}

Scores Placeto::score(const Case& of, const Decisions& decisions) {
  const std::int64_t plans = decisions.plans;
  const std::int64_t units = of.unit_count();
  const std::int64_t devices = of.device_count();
  // All steps of all plans are scored in one call. At step t the units before t have their new
  // devices, the others their old ones.
  const Tensor visited = torch::ones({units, units}, at::kBool).tril(-1);  // [steps, units]
  const Tensor placed = at::where(visited.unsqueeze(0), decisions.devices.unsqueeze(1),
                                  decisions.starts.unsqueeze(1));
  const Tensor current = torch::arange(units, at::kLong).repeat({plans});
  const UnitOutput seen = look(of, placed.view({plans * units, units}), current);

  Tensor logits = seen.logits;
  if (full_) logits = logits + scorer_(replay(of, decisions), seen.item_biases);
  const Tensor forbidden = of.allowed.logical_not().repeat({plans, 1});
  logits = limited(logits, forbidden, limit_);
  if (decisions.noise.defined()) logits = logits + decisions.noise.reshape({-1, devices});
  const Tensor odds = logits.masked_fill(forbidden, kForbidden).log_softmax(-1);
  return {odds.gather(1, decisions.devices.reshape({-1, 1})).view({plans, units}),
          -(odds.exp() * odds).sum(1).view({plans, units})};
}

Plan Placeto::plan(const Case& of, const Decisions& decisions, std::int64_t plan) const {
  return plan_from(of, decisions.devices[plan]);
}

std::vector<PathStep> Placeto::path(const Case& of, const Decisions& decisions,
                                    std::int64_t plan) const {
  if (!by_steps_) return {};
  const Tensor placed = decisions.starts[plan].clone();
  const auto chosen = decisions.devices.accessor<std::int64_t, 2>()[plan];
  auto now = placed.accessor<std::int64_t, 1>();
  std::vector<PathStep> path = {{0, plan_from(of, placed)}};
  for (std::int64_t unit = 0; unit < of.unit_count(); ++unit) {
    if (chosen[unit] == now[unit]) continue;  // the same placement needs no other simulation
    now[unit] = chosen[unit];
    path.push_back({unit + 1, plan_from(of, placed)});
  }
  return path;
}

}  // namespace berth::learn
