// The state of a training on one case (case.h): its simulators, reward and baseline, the best plan
// so far, and the step times of the last samples.
#pragma once

#include <deque>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "learn/policy.h"
#include "learn/rl/baseline.h"
#include "learn/rl/reward.h"
#include "learn/training_settings.h"
#include "place/learned/module.h"
#include "place/placer.h"
#include "sim/simulator.h"

namespace berth::learn {

class CaseTraining {
 public:
  static constexpr std::size_t kLastSamples = 200;

  struct Conditions {
    std::uint64_t seed = 0;                                             // of the start placer
    double most_evaluations = std::numeric_limits<double>::infinity();  // likewise
    std::size_t threads = 0;  // that simulate; 0: as many as there are processors
    StopToken stop = {};
  };

  // Simulates the plan of the placer that the settings name as the start.
  CaseTraining(const place::TrainingCase& of, const TrainingSettings& settings,
               const Vocabulary& vocabulary, const Conditions& conditions);

  // Simulates the plans on all cores and records them as samples. The result is valid until the
  // next call.
  std::span<const Outcome> price(std::span<const Plan> plans);
  // Simulates the placements of several paths. Each may become the best plan, but only the last of
  // a path is a sample; `ends` are the numbers of these.
  std::span<const Outcome> price_paths(std::span<const Plan> plans,
                                       std::span<const std::size_t> ends);
  // One more plan: it may become the best, but it is not a sample.
  const Outcome& consider(const Plan& plan);
  void price_greedy(const Plan& plan) { greedy_ = consider(plan); }
  const Outcome& greedy() const { return greedy_; }

  const Case& seen() const { return case_; }
  void set_memory_fraction(double fraction) { case_.memory_fraction = fraction; }
  const place::TrainingCase& given() const { return given_; }
  // Of outcomes of this case. One that does not fit is never worth more than one that fits, among
  // them and among the last samples.
  std::vector<double> rewards_of(std::span<const Outcome> outcomes) const;
  Baseline& baseline() { return baseline_; }
  const Baseline& baseline() const { return baseline_; }
  const Plan& best_plan() const { return best_plan_; }
  const Outcome& best() const { return best_; }
  bool any_feasible() const { return best_.routable && best_.feasible; }
  double start_evaluations() const { return start_evaluations_; }
  place::Learned learned(std::int64_t updates) const;

  // Keeps plan number `plan` of the decisions if it fits and its step is the shortest so far.
  void offer_elite(const Outcome& outcome, const Decisions& decisions, std::int64_t plan);
  const Decisions* elite() const { return elite_ ? &*elite_ : nullptr; }
  double elite_seconds() const { return elite_seconds_; }
  double elite_memory_fraction() const { return elite_memory_fraction_; }  // when it was drawn
  void restore_elite(Decisions elite, double seconds);

  // Step times of the last samples, the latest last; infinite for one that does not fit.
  const std::deque<double>& last_samples() const { return last_samples_; }
  double sample_mean() const;  // of those that fit; 0 when none does
  double sample_feasible_share() const;

  void restore(Plan best, std::span<const double> last_samples);

 private:
  void simulate(std::span<const Plan> plans);  // into outcomes_
  void note(const Plan& plan, const Outcome& outcome);
  void note_sample(const Outcome& outcome);

  place::TrainingCase given_;
  Case case_;
  std::vector<Simulator> simulators_;  // one per thread
  std::string start_name_;
  Outcome start_;
  double start_evaluations_ = 0;
  Plan best_plan_;
  Outcome best_;
  Outcome greedy_;
  Reward reward_;
  Baseline baseline_;
  std::vector<Outcome> outcomes_;
  std::deque<double> last_samples_;
  std::optional<Decisions> elite_;  // behind the best sample that fits, without noise
  double elite_seconds_ = std::numeric_limits<double>::infinity();
  double elite_memory_fraction_ = 1;
};

}  // namespace berth::learn
