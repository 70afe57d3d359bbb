// Trains a policy on one case or many. All learned methods share this trainer.
//
// An update takes the next case and draws a batch of plans. It simulates them, turns step times
// into rewards and rewards into advantages, scores the stored decisions again and takes steps of
// Adam. Everything follows from the seed: plans are simulated on all cores but independently,
// libtorch computes on one thread, and sums are taken in the order of samples.
//
// The trainer keeps the best plan, and the step times of the last 200 samples: the quality of a
// policy shows in what it draws now, not in the one best plan of the whole training.
//
// Cost: mostly the scoring of decisions with gradients, then the simulations.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "learn/case_training.h"
#include "learn/policy.h"
#include "learn/policy_file.h"
#include "learn/rl/adam.h"
#include "place/learned/module.h"

namespace berth::learn {

class StoredState;  // stored_state.h

// One update, as the curve records it.
struct UpdateRecord {
  std::size_t case_number = 0;
  double reward = 0;  // mean of the batch
  double baseline = 0;
  double feasible_share = 0;  // of the batch
  double entropy = 0;         // mean of a decision, nats
  double gradient_norm = 0;   // before clipping
};

// Throws InputError, naming the policy file `source`, when its method is not a learned one.
void require_learned(const std::string& method, const std::string& source);

class Trainer {
 public:
  // In a policy file the names of the policy's own arrays begin with this. The other arrays are
  // needed only to resume.
  static constexpr const char* kParameterPrefix = "policy.";

  struct Setting {
    std::string method;  // canonical: name and the options given
    std::vector<place::TrainingCase> cases;
    Budget budget;
    std::uint64_t seed = 0;
    std::size_t threads = 0;  // that simulate; 0: as many as there are processors
    StopToken stop = {};
  };

  // Simulates the start plans. Throws InputError when there is no such start placer.
  explicit Trainer(const Setting& setting);
  // A new training that begins with the parameters of a policy file, on any cases. `source` names
  // the file in messages. Throws InputError when its method is not a learned one, or when
  // parameters are missing or have another size.
  Trainer(const Setting& setting, const PolicyFile& policy, const std::string& source);

  // Simulates a plan of the first case; the best plan is then never worse.
  void consider_start(const Plan& plan);
  // The same with the greedy plan of the policy as it is now.
  void consider_greedy();

  // The budget is spent, or a stop was requested.
  bool finished();
  // None when a stop was requested before the first update began.
  std::optional<UpdateRecord> update();
  // Simulates the greedy plan of every case; finished() reserves evaluations for that.
  void price_greedy();
  // Draws plans and simulates them, without learning.
  void sample(std::size_t case_number, std::int64_t plans);

  std::span<const std::unique_ptr<CaseTraining>> cases() const { return cases_; }
  // Of training, as in the policy file. The greedy plans at the end do not count: otherwise a
  // resumed training would differ from one that was never stopped.
  double evaluations() const { return evaluations_; }
  double evaluations_in_all() const {
    return evaluations_ + static_cast<double>(greedy_evaluations_);
  }
  std::int64_t updates() const { return updates_; }
  double seconds() const;  // of training, including those before it was resumed
  double fraction_done() const;
  bool interrupted() const { return interrupted_; }
  double entropy() const { return entropy_; }
  std::uint64_t parameter_count() const;
  place::TrainingProgress progress() const;

  // The whole state: a trainer that restores it continues exactly as this one would.
  PolicyFile save() const;
  // Throws InputError, naming `source`, when the file is of another training.
  void restore(const PolicyFile& file, const std::string& source);

 private:
  Trainer(const Setting& setting, Vocabulary vocabulary);
  std::unique_ptr<CaseTraining> make_case(const place::TrainingCase& given,
                                          const std::string& units) const;
  void choose_units();
  // Evaluations that are kept for the greedy plan of a case, and of all cases.
  static std::int64_t greedy_reserve(const CaseTraining& of);
  double greedy_reserve() const;
  std::int64_t greedy_tries(std::size_t case_number) const;  // the most that price_greedy() makes
  bool pretrain();                                           // false when it was cut short
  struct Priced {
    std::vector<Outcome> outcomes;  // of the plans
    RewardRows rewards;             // one row per plan: of the whole plan, or of every step on
  };
  using Paths = std::vector<std::vector<PathStep>>;  // by plan
  // What a step of the optimizer weighs with at this point of the budget.
  struct StepWeights {
    double learning_rate = 0;
    double entropy = 0;
    double elite = 0;
  };
  struct PlanRange {
    std::int64_t begin = 0;
    std::int64_t end = 0;
  };

  // `left`: the evaluations that the budget still has.
  Priced price(CaseTraining& on, const Decisions& decisions, double left);
  Priced price_plans(CaseTraining& on, const Decisions& decisions);
  Priced price_steps(CaseTraining& on, const Decisions& decisions, Paths paths);

  // All steps of the optimizer for one batch. Returns the norm of the last gradient.
  double learn(CaseTraining& on, const Drawn& drawn, const RewardRows& rewards,
               std::span<const Outcome> outcomes);
  std::vector<bool> counting(const CaseTraining& on, std::span<const Outcome> outcomes) const;
  StepWeights step_weights(std::int64_t decisions) const;
  double take_step(CaseTraining& on, const Drawn& drawn, const Tensor& advantages,
                   const PlanRange& range, const StepWeights& weights);

  void require_same_training(const PolicyFile& file, const std::string& source) const;
  void require_resumable(const PolicyFile& file, const std::string& source) const;
  void restore_optimizer(const StoredState& state);
  void restore_case(std::size_t number, const StoredState& state);
  void load_parameters(const PolicyFile& file, const std::string& source);

  Setting setting_;
  TrainingSettings settings_;
  Vocabulary vocabulary_;
  std::shared_ptr<Policy> policy_;
  std::optional<Adam> adam_;
  std::vector<std::unique_ptr<CaseTraining>> cases_;
  Random random_;
  double evaluations_ = 0;
  std::int64_t greedy_evaluations_ = 0;
  std::int64_t updates_ = 0;
  double entropy_ = 0;
  double earlier_seconds_ = 0;
  bool pretrain_ = true;  // before the first update
  bool interrupted_ = false;
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace berth::learn
