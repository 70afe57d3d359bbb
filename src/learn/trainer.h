// Trains a policy on one case or many: the one trainer of all learned methods.
//
// An update takes the next case, draws a batch of plans, simulates them (on all cores, each plan by
// itself, so the number of threads changes nothing), turns step times into rewards and rewards into
// advantages, scores the stored decisions again and takes a step of Adam. Everything follows from
// the seed; torch computes on one thread and sums come in the order of samples.
//
// Of every plan drawn the best is kept, and so are the step times of the last 200, since how good a
// policy is shows in what it draws now and not in the luckiest plan of the way.
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
  double gradient_norm = 0;   // before it was cut
};

// Throws InputError, naming the policy file `source`, when its method is not a learned one.
void require_learned(const std::string& method, const std::string& source);

class Trainer {
 public:
  // Of the names of the policy's own arrays in its file; the others are needed to resume.
  static constexpr const char* kParameterPrefix = "policy.";

  struct Setting {
    std::string method;  // canonical: name and the options given
    std::vector<place::TrainingCase> cases;
    Budget budget;
    std::uint64_t seed = 0;
    std::size_t threads = 0;  // that simulate; 0: as many as there are processors
    StopToken stop = {};
  };

  // Prices the start plans. Throws InputError when a start placer is not there.
  explicit Trainer(const Setting& setting);
  // A policy from a file put to work on other cases: its parameters, a new training. `source` names
  // the file in messages. Throws InputError when its method is not a learned one or parameters are
  // missing or of another size.
  Trainer(const Setting& setting, const PolicyFile& policy, const std::string& source);

  // A plan to begin from, of the first case: its best is never worse.
  void consider_start(const Plan& plan);
  // The same of what the policy, as it is now, thinks best.
  void consider_greedy();

  // The budget is spent or the user has had enough.
  bool finished();
  // None when the user had enough before the first one began.
  std::optional<UpdateRecord> update();
  // Prices the greedy plan of every case; what finished() leaves room for.
  void price_greedy();
  // Draws plans and prices them, without learning.
  void sample(std::size_t case_number, std::int64_t plans);

  std::span<const std::unique_ptr<CaseTraining>> cases() const { return cases_; }
  // Of training, as the policy file has them: the greedy plans are no part of it, or a run that
  // goes on from the file would not be the one that was never stopped.
  double evaluations() const { return evaluations_; }
  double evaluations_in_all() const {
    return evaluations_ + static_cast<double>(greedy_evaluations_);
  }
  std::int64_t updates() const { return updates_; }
  double seconds() const;  // of training, those before a resumption among them
  double fraction_done() const;
  bool interrupted() const { return interrupted_; }
  double entropy() const { return entropy_; }
  std::uint64_t parameter_count() const;
  place::TrainingProgress progress() const;

  // Everything there is to know, so that a trainer which restores it goes on as this one would.
  PolicyFile save() const;
  // Throws InputError, naming `source`, when the file is of another training.
  void restore(const PolicyFile& file, const std::string& source);

 private:
  Trainer(const Setting& setting, Vocabulary vocabulary);
  bool pretrain();  // false when it was cut short
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
