#include "learn/case_training.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>

#include "base/parallel.h"
#include "learn/start_method.h"
#include "place/evaluator.h"

namespace berth::learn {
namespace {

// Enough for any placer that only constructs a plan. A search that is named as the start gets this
// much, and at most half of the budget, since the rest is for learning.
constexpr double kStartEvaluations = 100;

place::Placed place_start(const place::TrainingCase& of, const place::Method& method,
                          const CaseTraining::Conditions& conditions) {
  place::Request request;
  request.budget.evaluations = kStartEvaluations;
  if (conditions.most_evaluations > 0) {  // 0: a policy is used, and nothing is learned
    request.budget.evaluations =
        std::min(kStartEvaluations, std::max(1.0, std::floor(conditions.most_evaluations / 2)));
  }
  request.seed = conditions.seed;
  request.expert = of.expert;
  request.stop = conditions.stop;
  return method.place(*of.problem, request);
}

// A plan without routes has no step time that could serve as a unit.
double unit_seconds(const Outcome& start) { return start.routable ? start.step_seconds : 1; }

double mean_device_bytes(const Problem& problem) {
  double sum = 0;
  double count = 0;
  for (std::size_t device = 0; device < problem.device_count(); ++device) {
    const std::int64_t bytes = problem.usable_bytes(DeviceId(device));
    if (bytes == kUnlimitedBytes) continue;
    sum += static_cast<double>(bytes);
    count += 1;
  }
  return count > 0 ? sum / count : 1;
}

}  // namespace

CaseTraining::CaseTraining(const place::TrainingCase& of, const TrainingSettings& settings,
                           const Vocabulary& vocabulary, const Conditions& conditions)
    : given_(of),
      case_(*of.problem, settings.case_settings, vocabulary),
      start_name_(settings.start),
      reward_(settings.reward, 1, 1),
      baseline_(settings.baseline) {
  const std::size_t threads = conditions.threads > 0
                                  ? conditions.threads
                                  : std::max(1u, std::thread::hardware_concurrency());
  for (std::size_t i = 0; i < threads; ++i) simulators_.emplace_back(*of.problem);
  const place::Placed start = place_start(of, start_method(settings.start), conditions);
  start_ = start.outcome;
  start_evaluations_ = start.evaluations;
  best_plan_ = start.plan;
  best_ = start.outcome;
  reward_ = Reward(settings.reward, unit_seconds(start_), mean_device_bytes(*of.problem));
}

void CaseTraining::simulate(std::span<const Plan> plans) {
  outcomes_.resize(plans.size());
  // Every thread takes plans of its own by number; which simulator prices a plan changes nothing.
  const std::size_t threads = std::min(simulators_.size(), plans.size());
  in_parallel(threads, threads, [&](std::size_t thread) {
    for (std::size_t i = thread; i < plans.size(); i += threads) {
      outcomes_[i] = simulators_[thread].evaluate(plans[i]);
    }
  });
  // After the threads, by number: of equal plans the first is kept, whichever thread was faster.
  for (std::size_t i = 0; i < plans.size(); ++i) note(plans[i], outcomes_[i]);
}

void CaseTraining::note_sample(const Outcome& outcome) {
  const bool fits = outcome.routable && outcome.feasible;
  last_samples_.push_back(fits ? outcome.step_seconds : std::numeric_limits<double>::infinity());
  if (last_samples_.size() > kLastSamples) last_samples_.pop_front();
}

std::span<const Outcome> CaseTraining::price(std::span<const Plan> plans) {
  simulate(plans);
  for (const Outcome& outcome : outcomes_) note_sample(outcome);
  return outcomes_;
}

std::span<const Outcome> CaseTraining::price_paths(std::span<const Plan> plans,
                                                   std::span<const std::size_t> ends) {
  simulate(plans);
  for (const std::size_t end : ends) note_sample(outcomes_[end]);
  return outcomes_;
}

const Outcome& CaseTraining::consider(const Plan& plan) {
  const Outcome& outcome = simulators_.front().evaluate(plan);
  note(plan, outcome);
  return outcome;
}

void CaseTraining::note(const Plan& plan, const Outcome& outcome) {
  if (!place::better(outcome, best_)) return;
  best_plan_ = plan;
  best_ = outcome;
}

std::vector<double> CaseTraining::rewards_of(std::span<const Outcome> outcomes) const {
  double slowest = 0;
  for (const double seconds : last_samples_) {
    if (!std::isinf(seconds)) slowest = std::max(slowest, seconds);
  }
  for (const Outcome& outcome : outcomes) {
    if (outcome.routable && outcome.feasible) slowest = std::max(slowest, outcome.step_seconds);
  }
  std::vector<double> rewards;
  for (const Outcome& outcome : outcomes) rewards.push_back(reward_.of(outcome, slowest));
  return rewards;
}

double CaseTraining::sample_mean() const {
  double sum = 0;
  double count = 0;
  for (const double seconds : last_samples_) {
    if (std::isinf(seconds)) continue;
    sum += seconds;
    count += 1;
  }
  return count > 0 ? sum / count : 0;
}

double CaseTraining::sample_feasible_share() const {
  if (last_samples_.empty()) return 0;
  const auto fitting = std::count_if(last_samples_.begin(), last_samples_.end(),
                                     [](double seconds) { return !std::isinf(seconds); });
  return static_cast<double>(fitting) / static_cast<double>(last_samples_.size());
}

place::Learned CaseTraining::learned(std::int64_t updates) const {
  return {.start = start_name_,
          .start_outcome = start_,
          .greedy = greedy_,
          .sample_mean_seconds = sample_mean(),
          .samples = static_cast<std::int64_t>(last_samples_.size()),
          .sample_feasible_share = sample_feasible_share(),
          .updates = updates};
}

void CaseTraining::offer_elite(const Outcome& outcome, const Decisions& decisions,
                               std::int64_t plan) {
  if (!outcome.routable || !outcome.feasible || outcome.step_seconds >= elite_seconds_) return;
  // Without its noise: the policy must learn to draw it without.
  elite_ = decisions.single(plan);
  elite_seconds_ = outcome.step_seconds;
  elite_memory_fraction_ = case_.memory_fraction;
}

void CaseTraining::restore_elite(Decisions elite, double seconds) {
  elite_ = std::move(elite);
  elite_seconds_ = seconds;
  elite_memory_fraction_ = case_.memory_fraction;
}

void CaseTraining::restore(Plan best, std::span<const double> last_samples) {
  best_ = simulators_.front().evaluate(best);
  best_plan_ = std::move(best);
  last_samples_.assign(last_samples.begin(), last_samples.end());
}

}  // namespace berth::learn
