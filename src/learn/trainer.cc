#include "learn/trainer.h"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "learn/rl/advantages.h"
#include "learn/rl/objective.h"
#include "learn/rl/returns.h"
#include "place/groups/units.h"
#include "place/learned/methods.h"

namespace berth::learn {
namespace {

using Clock = std::chrono::steady_clock;

Vocabulary vocabulary_of(const std::vector<place::TrainingCase>& cases) {
  std::vector<const Problem*> problems;
  for (const place::TrainingCase& one : cases) problems.push_back(one.problem);
  return Vocabulary(problems);
}

// ColocRL's adjacency is by unit, so its network is as wide as the largest model has units. The
// width becomes an option that was given, since the policy keeps it on other models.
std::string with_adjacency(const std::string& method,
                           const std::vector<place::TrainingCase>& cases) {
  const Options options = resolved_options(method);
  if (!options.has("adjacency") || options.integer("adjacency") > 0) return method;
  std::size_t most = 1;
  for (const place::TrainingCase& one : cases) {
    most = std::max(most, place::make_units(*one.problem, options.text("units")).size());
  }
  Call call = parse_call(method);
  std::erase_if(call.options, [](const auto& option) { return option.first == "adjacency"; });
  call.options.emplace_back("adjacency", fmt::format("{}", most));
  const std::vector<OptionSpec> specs = place::find_learned(call.name)->options();
  return Options(call.name, specs, call).canonical();
}

// One thread, so that sums are taken in the same order on any machine. And the allocator keeps
// freed memory: an update allocates thousands of tensors of about a megabyte, and to request each
// from the system would cost a tenth to a quarter of the time.
void prepare_framework() {
  at::set_num_threads(1);
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the largest value that the allocator accepts
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
}

Tensor tensor_of(const RewardRows& rows, const c10::TensorOptions& options) {
  std::vector<double> flat;
  for (const auto& row : rows) flat.insert(flat.end(), row.begin(), row.end());
  const auto height = static_cast<std::int64_t>(rows.size());
  return torch::tensor(flat, at::kDouble).view({height, -1}).to(options.dtype().toScalarType());
}

// A policy that decides along a list schedule fills at most a part of every device's memory, by an
// estimate. While fewer samples than this fit, the part shrinks with every update.
constexpr double kFittingShare = 0.97;
constexpr double kMemoryStep = 0.98;
constexpr double kLeastMemoryFraction = 0.3;
// The greedy plan is made again with less memory until it fits.
constexpr std::int64_t kGreedyTries = 8;
constexpr double kGreedyMemoryStep = 0.9;

UpdateRecord batch_record(const CaseTraining& on, std::span<const Outcome> outcomes) {
  UpdateRecord record;
  for (const double reward : on.rewards_of(outcomes)) {
    record.reward += reward / static_cast<double>(outcomes.size());
  }
  for (const Outcome& outcome : outcomes) {
    if (outcome.routable && outcome.feasible) {
      record.feasible_share += 1 / static_cast<double>(outcomes.size());
    }
  }
  return record;
}

}  // namespace

void require_learned(const std::string& method, const std::string& source) {
  try {
    resolved_options(method);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: the file names the method {}, but {}", source, quoted(method),
                                 error.what()));
  }
}

Trainer::Trainer(const Setting& setting) : Trainer(setting, vocabulary_of(setting.cases)) {}

Trainer::Trainer(const Setting& setting, Vocabulary vocabulary)
    : setting_(setting),
      vocabulary_(std::move(vocabulary)),
      random_(setting.seed),
      begin_(Clock::now()) {
  prepare_framework();
  setting_.method = with_adjacency(setting.method, setting.cases);
  const Options options = resolved_options(setting_.method);
  settings_ = TrainingSettings::parse(options);
  const std::string name = parse_call(setting.method).name;
  policy_ = make_policy(name, options, vocabulary_, setting.seed);
  std::vector<Tensor> parameters;
  for (const auto& [of, tensor] : policy_->parameters()) parameters.push_back(tensor);
  adam_.emplace(std::move(parameters));
  for (const place::TrainingCase& given : setting.cases) {
    cases_.push_back(make_case(given, settings_.case_settings.units));
    evaluations_ += cases_.back()->start_evaluations();
  }
}

std::unique_ptr<CaseTraining> Trainer::make_case(const place::TrainingCase& given,
                                                 const std::string& units) const {
  TrainingSettings settings = settings_;
  settings.case_settings.units = units;
  const CaseTraining::Conditions conditions{.seed = setting_.seed,
                                            .most_evaluations = setting_.budget.evaluations,
                                            .threads = setting_.threads,
                                            .stop = setting_.stop};
  return std::make_unique<CaseTraining>(given, settings, vocabulary_, conditions);
}

// Of a policy that has learned, units=auto are those with which its own greedy plan is the shorter,
// as a list schedule is with the units of one that has not. It may plan others better: of the 20
// problems in docs/learning.md general.policy takes 52% longer on U-Net, 49% on GNMT and 19% on
// NASNet with the units that the list schedule prefers.
void Trainer::choose_units() {
  if (settings_.case_settings.units != place::kAutoUnits) return;
  const auto worth = [&](CaseTraining& of) {
    of.price_greedy(policy_->plan(of.seen(), policy_->greedy(of.seen()), 0));
    greedy_evaluations_ += 1;
    return std::tuple(!of.greedy().routable, !of.greedy().feasible, of.greedy().step_seconds);
  };
  for (auto& one : cases_) {
    const Problem& problem = *one->given().problem;
    // With few groups the two are the same.
    if (place::make_units(problem, place::kCoarseUnits).size() == problem.group_count()) continue;
    auto fine = make_case(one->given(), std::string(place::kFineUnits));
    auto coarse = make_case(one->given(), std::string(place::kCoarseUnits));
    one = worth(*coarse) < worth(*fine) ? std::move(coarse) : std::move(fine);
  }
}

void Trainer::consider_start(const Plan& plan) {
  cases_.front()->consider(plan);
  evaluations_ += 1;
}

void Trainer::consider_greedy() {
  const Case& on = cases_.front()->seen();
  consider_start(policy_->plan(on, policy_->greedy(on), 0));
}

double Trainer::seconds() const {
  return earlier_seconds_ + std::chrono::duration<double>(Clock::now() - begin_).count();
}

double Trainer::fraction_done() const {
  return std::min(1.0, std::max(evaluations_ / setting_.budget.evaluations,
                                seconds() / setting_.budget.seconds));
}

std::int64_t Trainer::greedy_reserve(const CaseTraining& of) {
  // Where all samples fit, the greedy plan hardly needs a second try.
  const bool some_do_not_fit = !of.last_samples().empty() && of.sample_feasible_share() < 1;
  return of.seen().decisions && some_do_not_fit ? kGreedyTries : 1;
}

double Trainer::greedy_reserve() const {
  std::int64_t tries = 0;
  for (const auto& one : cases_) tries += greedy_reserve(*one);
  return static_cast<double>(tries);
}

std::int64_t Trainer::greedy_tries(std::size_t case_number) const {
  if (!cases_[case_number]->seen().decisions) return 1;
  if (setting_.budget.evaluations <= 0)
    return kGreedyTries;  // a policy is used: nothing to keep to
  // One evaluation is kept for every case after this one.
  const double later = static_cast<double>(cases_.size() - case_number - 1);
  const double left = setting_.budget.evaluations - evaluations_in_all() - later;
  return static_cast<std::int64_t>(std::clamp(left, 1.0, static_cast<double>(kGreedyTries)));
}

bool Trainer::finished() {
  if (setting_.stop.requested()) interrupted_ = true;
  return interrupted_ || evaluations_ + greedy_reserve() >= setting_.budget.evaluations ||
         seconds() >= setting_.budget.seconds;
}

bool Trainer::pretrain() {
  std::vector<const Case*> seen;
  for (const auto& one : cases_) seen.push_back(&one->seen());
  Random random = random_;
  if (!policy_->pretrain(seen, random, setting_.stop)) return false;
  random_ = random;
  return true;
}

std::optional<UpdateRecord> Trainer::update() {
  // If pre-training is cut short, it is as if it had not begun: a training that is resumed must
  // equal one that was never stopped.
  if (updates_ == 0 && pretrain_ && settings_.learning_rate > 0 && !pretrain()) return std::nullopt;
  const std::size_t number = static_cast<std::size_t>(updates_) % cases_.size();
  CaseTraining& on = *cases_[number];
  // The greedy plans at the end must not exceed the budget.
  const double left = setting_.budget.evaluations - evaluations_ - greedy_reserve();
  const double affordable = std::floor(left / policy_->evaluations_for_one(on.seen()));
  const auto most =
      static_cast<std::int64_t>(std::clamp(affordable, 1.0, static_cast<double>(policy_->batch())));
  const bool noisy = updates_ < settings_.noise_updates;
  const Drawn drawn = policy_->draw(on.seen(), most, noisy ? settings_.noise : 0, random_);
  const auto [outcomes, rewards] = price(on, drawn.decisions, left);
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    on.offer_elite(outcomes[i], drawn.decisions, static_cast<std::int64_t>(i));
  }
  UpdateRecord record = batch_record(on, outcomes);
  // Lowered step by step until nearly all fit: the estimate of memory along a schedule is not
  // exact.
  if (record.feasible_share < kFittingShare) {
    on.set_memory_fraction(std::max(kLeastMemoryFraction, on.seen().memory_fraction * kMemoryStep));
  }
  record.case_number = number;
  record.gradient_norm = learn(on, drawn, rewards, outcomes);
  record.baseline = on.baseline().value();
  record.entropy = entropy_;
  updates_ += 1;
  return record;
}

Trainer::Priced Trainer::price(CaseTraining& on, const Decisions& decisions, double left) {
  Paths paths;
  std::size_t placements = 0;
  for (std::int64_t i = 0; i < decisions.plans; ++i) {
    paths.push_back(policy_->path(on.seen(), decisions, i));
    placements += paths.back().size();
  }
  // When the budget does not cover all placements of the paths, plans are rewarded as a whole.
  const bool by_steps = placements > 0 && static_cast<double>(placements) <= std::max(left, 1.0);
  return by_steps ? price_steps(on, decisions, std::move(paths)) : price_plans(on, decisions);
}

Trainer::Priced Trainer::price_plans(CaseTraining& on, const Decisions& decisions) {
  std::vector<Plan> plans;
  for (std::int64_t i = 0; i < decisions.plans; ++i) {
    plans.push_back(policy_->plan(on.seen(), decisions, i));
  }
  evaluations_ += static_cast<double>(plans.size());
  Priced priced;
  const std::span<const Outcome> outcomes = on.price(plans);
  priced.outcomes.assign(outcomes.begin(), outcomes.end());
  for (const double reward : on.rewards_of(outcomes)) priced.rewards.push_back({reward});
  return priced;
}

Trainer::Priced Trainer::price_steps(CaseTraining& on, const Decisions& decisions, Paths paths) {
  std::vector<Plan> plans;
  std::vector<std::size_t> ends;  // by path, the number of its last plan
  for (std::vector<PathStep>& path : paths) {
    for (PathStep& step : path) plans.push_back(std::move(step.plan));
    ends.push_back(plans.size() - 1);
  }
  evaluations_ += static_cast<double>(plans.size());
  const std::span<const Outcome> outcomes = on.price_paths(plans, ends);
  const std::vector<double> all_rewards = on.rewards_of(outcomes);
  const auto steps = static_cast<std::size_t>(decisions.devices.size(1));
  Priced priced;
  std::size_t next = 0;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    std::vector<std::int64_t> from;
    std::vector<double> rewards;
    for (const PathStep& step : paths[i]) {
      from.push_back(step.from);
      rewards.push_back(all_rewards[next++]);
    }
    priced.outcomes.push_back(outcomes[ends[i]]);
    priced.rewards.push_back(returns_of_gains(from, rewards, steps));
  }
  return priced;
}

double Trainer::learn(CaseTraining& on, const Drawn& drawn, const RewardRows& rewards,
                      std::span<const Outcome> outcomes) {
  if (drawn.log_probs.numel() == 0) return 0;  // a graph without ops leaves nothing to decide
  const Advantages advantages =
      advantages_of(on.baseline(), rewards, counting(on, outcomes),
                    static_cast<std::size_t>(drawn.decisions.copies), settings_.normalize);
  if (advantages.rows.empty()) return 0;
  const Tensor of_plans = tensor_of(advantages.rows, drawn.log_probs.options()) * advantages.scale;
  const StepWeights weights = step_weights(drawn.log_probs.size(1));
  // Plans that share one grouping stay together: their decisions are stored once.
  const std::int64_t copies = drawn.decisions.copies;
  const std::int64_t groupings = drawn.decisions.plans / copies;
  const std::int64_t parts = std::min(settings_.minibatches, groupings);
  double norm = 0;
  for (std::int64_t epoch = 0; epoch < settings_.epochs; ++epoch) {
    for (std::int64_t part = 0; part < parts; ++part) {
      const PlanRange range = {.begin = groupings * part / parts * copies,
                               .end = groupings * (part + 1) / parts * copies};
      norm = take_step(on, drawn, of_plans, range, weights);
    }
  }
  return norm;
}

std::vector<bool> Trainer::counting(const CaseTraining& on,
                                    std::span<const Outcome> outcomes) const {
  // Early in training a plan that does not fit teaches what to avoid. Later only plans that fit
  // count, but not before most do: a policy that draws few such plans has little else to learn
  // from.
  const bool valid_only =
      updates_ >= settings_.valid_after && on.sample_feasible_share() >= settings_.valid_share;
  std::vector<bool> counts;
  for (const Outcome& outcome : outcomes) {
    counts.push_back(!valid_only || (outcome.routable && outcome.feasible));
  }
  return counts;
}

Trainer::StepWeights Trainer::step_weights(std::int64_t decisions) const {
  const double done = fraction_done();
  StepWeights weights;
  weights.learning_rate = settings_.learning_rate * (1 - (1 - settings_.learning_rate_end) * done);
  // The papers' bonus is for the sum over decisions. It acts on every decision alike, the reward on
  // few: of many decisions most become random, and together they make every plan slow. The preset
  // `fast` therefore takes the mean.
  weights.entropy = settings_.entropy_weight *
                    (settings_.mean_entropy ? 1.0 / static_cast<double>(decisions) : 1.0) *
                    std::max(0.0, 1 - done / settings_.entropy_until);
  // Late, since what is imitated is no longer explored.
  weights.elite = settings_.elite_weight * done * done;
  return weights;
}

double Trainer::take_step(CaseTraining& on, const Drawn& drawn, const Tensor& advantages,
                          const PlanRange& range, const StepWeights& weights) {
  const std::int64_t plans = range.end - range.begin;
  // The best sample so far is scored in the same call, since most of the work is shared.
  const bool with_elite = weights.elite > 0 && on.elite();
  Decisions scored = drawn.decisions.slice(range.begin, range.end);
  if (with_elite) scored = scored.followed_by(*on.elite());
  const Scores all = policy_->score(on.seen(), scored);
  const Tensor log_probs = all.log_probs.slice(0, 0, plans);
  const Tensor entropy = all.entropy.slice(0, 0, plans);
  const Tensor part_advantages = advantages.slice(0, range.begin, range.end);
  Tensor loss = settings_.algorithm == TrainingSettings::Algorithm::ppo
                    ? ppo_loss(log_probs, drawn.log_probs.slice(0, range.begin, range.end),
                               part_advantages, settings_.ppo_clip)
                    : reinforce_loss(log_probs, part_advantages);
  if (!settings_.from_rewards) loss = loss * 0;
  loss = loss - weights.entropy * entropy.sum(1).mean();
  if (with_elite) {
    // Of the sum over decisions: it has to prevail over the noise of the policy gradient, of which
    // every decision has as much.
    loss = loss - weights.elite * all.log_probs.slice(0, plans).sum(1).mean();
  }
  loss.backward();
  entropy_ = entropy.mean().item<double>();
  return adam_->step(weights.learning_rate, settings_.gradient_clip);
}

void Trainer::price_greedy() {
  for (std::size_t number = 0; number < cases_.size(); ++number) {
    const auto& one = cases_[number];
    const double learned_fraction = one->seen().memory_fraction;
    const std::int64_t most = greedy_tries(number);
    for (std::int64_t tries = 1; tries <= most; ++tries) {
      const Decisions decisions = policy_->greedy(one->seen());
      one->price_greedy(policy_->plan(one->seen(), decisions, 0));
      greedy_evaluations_ += 1;
      if (one->greedy().feasible) break;
      one->set_memory_fraction(one->seen().memory_fraction * kGreedyMemoryStep);
    }
    one->set_memory_fraction(learned_fraction);
  }
}

void Trainer::sample(std::size_t case_number, std::int64_t plans) {
  CaseTraining& on = *cases_[case_number];
  while (plans > 0 && !setting_.stop.requested()) {
    const Drawn drawn = policy_->draw(on.seen(), plans, 0, random_);
    std::vector<Plan> batch;
    for (std::int64_t i = 0; i < drawn.decisions.plans; ++i) {
      batch.push_back(policy_->plan(on.seen(), drawn.decisions, i));
    }
    on.price(batch);
    evaluations_ += static_cast<double>(batch.size());
    plans -= drawn.decisions.plans;
  }
  if (plans > 0) interrupted_ = true;
}

std::uint64_t Trainer::parameter_count() const {
  std::uint64_t count = 0;
  for (const auto& [name, tensor] : policy_->parameters()) {
    count += static_cast<std::uint64_t>(tensor.numel());
  }
  return count;
}

place::TrainingProgress Trainer::progress() const {
  // Of several cases the progress line shows the one whose turn it was.
  const CaseTraining& shown =
      *cases_[static_cast<std::size_t>(std::max<std::int64_t>(0, updates_ - 1)) % cases_.size()];
  place::TrainingProgress at;
  at.evaluations = evaluations_;
  at.updates = updates_;
  at.seconds = seconds();
  at.fraction_done = fraction_done();
  at.seconds_left = at.fraction_done > 0 ? at.seconds * (1 / at.fraction_done - 1)
                                         : std::numeric_limits<double>::infinity();
  at.best_step_seconds = shown.best().step_seconds;
  at.best_feasible = shown.any_feasible();
  at.mean_step_seconds = shown.sample_mean();
  at.entropy = entropy_;
  return at;
}

}  // namespace berth::learn
