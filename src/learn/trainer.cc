#include "learn/trainer.h"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "learn/rl/objective.h"
#include "learn/rl/returns.h"
#include "place/learned/methods.h"

namespace berth::learn {
namespace {

using Clock = std::chrono::steady_clock;

Options resolved_options(const std::string& method) {
  const place::Method parsed = place::parse_method(method);
  const place::LearnedMethod* const learned = place::find_learned(parsed.placer->name);
  if (!learned) throw InputError("it does not learn");
  Options options = place::resolve_preset(*learned, parsed.options);
  for (const auto& [name, value] : parse_call(method).options) {
    if ((name != "epochs" && name != "minibatches") || options.text("algorithm") == "ppo") continue;
    if (options.integer(name) == 1) continue;
    throw InputError(fmt::format(
        "{}={} goes with algorithm=ppo, and this is reinforce, which sees a batch once; say "
        "algorithm=ppo as well, or leave {} out",
        name, value, name));
  }
  // Where the values of an option are more than its kind can say.
  place::require_units(options.text("units"));
  start_method(options);
  return options;
}

Vocabulary vocabulary_of(const std::vector<place::TrainingCase>& cases) {
  std::vector<const Problem*> problems;
  for (const place::TrainingCase& one : cases) problems.push_back(one.problem);
  return Vocabulary(problems);
}

// One thread each for products and everything else: sums then come in one order on any machine.
// And memory that is freed is kept: tensors of a megabyte come and go by the thousand, and to ask
// the system for each costs a tenth of the time, and for what an update takes a quarter.
void prepare_framework() {
  at::set_num_threads(1);
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the most the allocator takes
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
}

// Advantages of samples that do not count become 0; with a common scale for the others.
void normalize(RewardRows& advantages) {
  double squares = 0;
  double count = 0;
  for (const auto& row : advantages) {
    for (const double value : row) {
      squares += value * value;
      count += 1;
    }
  }
  const double deviation = std::sqrt(squares / std::max(1.0, count));
  if (deviation < 1e-12) return;
  for (auto& row : advantages) {
    for (double& value : row) value /= deviation;
  }
}

Tensor tensor_of(const RewardRows& rows, const c10::TensorOptions& options) {
  std::vector<double> flat;
  for (const auto& row : rows) flat.insert(flat.end(), row.begin(), row.end());
  const auto height = static_cast<std::int64_t>(rows.size());
  return torch::tensor(flat, at::kDouble).view({height, -1}).to(options.dtype().toScalarType());
}

}  // namespace

void require_learned(const std::string& method, const std::string& source) {
  try {
    resolved_options(method);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: the policy is said to be of the method {}, but {}", source,
                                 quoted(method), error.what()));
  }
}

Trainer::Trainer(const Setting& setting) : Trainer(setting, vocabulary_of(setting.cases)) {}

Trainer::Trainer(const Setting& setting, Vocabulary vocabulary)
    : setting_(setting),
      options_(resolved_options(setting.method)),
      vocabulary_(std::move(vocabulary)),
      random_(setting.seed),
      begin_(Clock::now()) {
  prepare_framework();
  const std::string name = parse_call(setting.method).name;
  policy_ = make_policy(name, options_, vocabulary_, setting.seed);
  std::vector<Tensor> parameters;
  for (const auto& [of, tensor] : policy_->parameters()) parameters.push_back(tensor);
  adam_.emplace(std::move(parameters));
  const CaseTraining::Conditions conditions{.seed = setting.seed,
                                            .most_evaluations = setting.budget.evaluations,
                                            .threads = setting.threads,
                                            .stop = setting.stop};
  for (const place::TrainingCase& given : setting.cases) {
    cases_.push_back(std::make_unique<CaseTraining>(given, options_, vocabulary_, conditions));
    evaluations_ += cases_.back()->start_evaluations();
    // As published: a first guess that everything fails makes whatever runs look good.
    if (options_.text("preset") == "paper") {
      cases_.back()->baseline().begin_at(cases_.back()->reward().worst());
    }
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

bool Trainer::finished() {
  if (setting_.stop.requested()) interrupted_ = true;
  const auto greedy = static_cast<double>(cases_.size());
  return interrupted_ || evaluations_ + greedy >= setting_.budget.evaluations ||
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
  // Cut short, it is as if it had not begun: a training that is resumed is to be the one that was
  // never stopped.
  if (updates_ == 0 && pretrain_ && options_.real("lr") > 0 && !pretrain()) return std::nullopt;
  const std::size_t number = static_cast<std::size_t>(updates_) % cases_.size();
  CaseTraining& on = *cases_[number];
  const auto greedy = static_cast<double>(cases_.size());
  const double left = setting_.budget.evaluations - evaluations_ - greedy;
  const double fit_in = std::floor(left / policy_->evaluations_for_one(on.seen()));
  const auto most =
      static_cast<std::int64_t>(std::clamp(fit_in, 1.0, static_cast<double>(policy_->batch())));
  const bool noisy = updates_ < static_cast<double>(options_.integer("noise_updates"));
  const Drawn drawn = policy_->draw(on.seen(), most, noisy ? options_.real("noise") : 0, random_);
  const auto [outcomes, rewards] = price(on, drawn.decisions, left);
  UpdateRecord record;
  record.case_number = number;
  for (const Outcome& outcome : outcomes) {
    record.reward += on.reward().of(outcome) / static_cast<double>(outcomes.size());
    if (outcome.routable && outcome.feasible) {
      record.feasible_share += 1 / static_cast<double>(outcomes.size());
    }
  }
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    on.offer_elite(outcomes[i], drawn.decisions, static_cast<std::int64_t>(i));
  }
  record.gradient_norm = learn(on, drawn, rewards, outcomes);
  record.baseline = on.baseline().value();
  record.entropy = entropy_;
  updates_ += 1;
  return record;
}

Trainer::Priced Trainer::price(CaseTraining& on, const Decisions& decisions, double left) {
  std::vector<std::vector<PathStep>> paths;
  std::size_t placements = 0;
  for (std::int64_t i = 0; i < decisions.plans; ++i) {
    paths.push_back(policy_->path(on.seen(), decisions, i));
    placements += paths.back().size();
  }
  // Where what is left does not pay for all placements of a path, plans count as a whole.
  const bool by_steps = placements > 0 && static_cast<double>(placements) <= std::max(left, 1.0);
  std::vector<Plan> plans;
  std::vector<std::size_t> ends;
  for (std::int64_t i = 0; i < decisions.plans; ++i) {
    if (by_steps) {
      for (PathStep& step : paths[static_cast<std::size_t>(i)]) {
        plans.push_back(std::move(step.plan));
      }
    } else {
      plans.push_back(policy_->plan(on.seen(), decisions, i));
    }
    ends.push_back(plans.size() - 1);
  }
  const std::span<const Outcome> outcomes = on.price_paths(plans, ends);
  evaluations_ += static_cast<double>(plans.size());

  Priced priced;
  std::size_t at = 0;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    priced.outcomes.push_back(outcomes[ends[i]]);
    if (!by_steps) {
      priced.rewards.push_back({on.reward().of(outcomes[ends[i]])});
      continue;
    }
    std::vector<std::int64_t> from;
    std::vector<double> rewards;
    for (const PathStep& step : paths[i]) {
      from.push_back(step.from);
      rewards.push_back(on.reward().of(outcomes[at++]));
    }
    const auto steps = static_cast<std::size_t>(decisions.devices.size(1));
    priced.rewards.push_back(returns_of_gains(from, rewards, steps));
  }
  return priced;
}

double Trainer::learn(CaseTraining& on, const Drawn& drawn, const RewardRows& rewards,
                      std::span<const Outcome> outcomes) {
  if (drawn.log_probs.numel() == 0) return 0;  // a graph without ops leaves nothing to decide
  // Early on a plan that does not fit teaches what to avoid; later only those that fit count, but
  // not before most do: of a policy that draws few such plans the others are all there is to learn
  // from.
  const bool valid_only = updates_ >= static_cast<double>(options_.integer("valid_after")) &&
                          on.sample_feasible_share() >= options_.real("valid_share");
  std::vector<std::size_t> counted;
  RewardRows counted_rewards;
  for (std::size_t i = 0; i < rewards.size(); ++i) {
    if (valid_only && !(outcomes[i].routable && outcomes[i].feasible)) continue;
    counted.push_back(i);
    counted_rewards.push_back(rewards[i]);
  }
  if (counted.empty()) return 0;
  RewardRows counted_advantages = on.baseline().advantages(counted_rewards);
  if (options_.boolean("normalize")) normalize(counted_advantages);
  RewardRows advantages(rewards.size(), std::vector<double>(rewards.front().size(), 0.0));
  for (std::size_t i = 0; i < counted.size(); ++i) advantages[counted[i]] = counted_advantages[i];
  // A mean over the samples that count, not over all.
  const double share = static_cast<double>(rewards.size()) / static_cast<double>(counted.size());

  const bool ppo = options_.text("algorithm") == "ppo";
  const std::int64_t epochs = ppo ? options_.integer("epochs") : 1;
  const Decisions& decisions = drawn.decisions;
  const std::int64_t shared = decisions.plans / decisions.copies;
  const std::int64_t parts = ppo ? std::min(options_.integer("minibatches"), shared) : 1;
  const double done = fraction_done();
  const double rate = options_.real("lr") * (1 - (1 - options_.real("lr_end")) * done);
  // The papers' bonus is for the sum over decisions. It pulls at every decision alike, and the
  // reward at few: of many decisions most become random, and all these together make every plan
  // long. That of `fast` is for their mean.
  const bool mean = options_.text("entropy_of") == "mean";
  const double entropy_weight = options_.real("entropy") *
                                (mean ? 1.0 / static_cast<double>(drawn.log_probs.size(1)) : 1.0) *
                                std::max(0.0, 1 - done / options_.real("entropy_until"));
  // Late, since what is imitated is no longer explored; and for the sum, since it has to prevail
  // over the noise of the other gradient, which every decision has as much of.
  const double elite_weight = options_.real("elite") * done * done;
  const Tensor all_advantages = tensor_of(advantages, drawn.log_probs.options()) * share;
  double norm = 0;
  for (std::int64_t epoch = 0; epoch < epochs; ++epoch) {
    for (std::int64_t part = 0; part < parts; ++part) {
      const std::int64_t begin = shared * part / parts * decisions.copies;
      const std::int64_t end = shared * (part + 1) / parts * decisions.copies;
      // Scored together with the best sample so far, since most of what it takes is in common.
      const bool with_elite = elite_weight > 0 && on.elite();
      Decisions scored = decisions.slice(begin, end);
      if (with_elite) scored = scored.followed_by(*on.elite());
      const Scores all = policy_->score(on.seen(), scored);
      const Scores scores = {all.log_probs.slice(0, 0, end - begin),
                             all.entropy.slice(0, 0, end - begin)};
      const Tensor part_advantages = all_advantages.slice(0, begin, end);
      Tensor loss = ppo ? ppo_loss(scores.log_probs, drawn.log_probs.slice(0, begin, end),
                                   part_advantages, options_.real("ppo_clip"))
                        : reinforce_loss(scores.log_probs, part_advantages);
      loss = loss - entropy_weight * scores.entropy.sum(1).mean();
      if (with_elite) {
        loss = loss - elite_weight * all.log_probs.slice(0, end - begin).sum(1).mean();
      }
      loss.backward();
      norm = adam_->step(rate, options_.real("clip"));
      entropy_ = scores.entropy.mean().item<double>();
    }
  }
  return norm;
}

void Trainer::price_greedy() {
  for (const auto& one : cases_) {
    const Decisions decisions = policy_->greedy(one->seen());
    one->price_greedy(policy_->plan(one->seen(), decisions, 0));
    greedy_evaluations_ += 1;
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
      *cases_[static_cast<std::size_t>(std::max(0.0, updates_ - 1)) % cases_.size()];
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
