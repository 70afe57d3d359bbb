// The interface of this module to the program: one C function (place/learned/module.h).
#include <algorithm>

#include "base/build_id.h"
#include "learn/trainer.h"
#include "learn/training_run.h"
#include "place/evaluator.h"
#include "place/learned/methods.h"
#include "place/learned/module.h"
#include "place/remarks.h"

namespace berth::learn {
namespace {

// Training without a budget would never end.
constexpr double kEvaluationsWithoutBudget = 2000;

Budget finite(Budget budget) {
  if (budget == Budget{}) budget.evaluations = kEvaluationsWithoutBudget;
  return budget;
}

Trainer::Setting setting_for(const Problem& problem, const place::Request& request,
                             std::string method) {
  place::TrainingCase only;
  only.problem = &problem;
  only.expert = request.expert;
  return {.method = std::move(method),
          .cases = {only},
          .budget = finite(request.budget),
          .seed = request.seed,
          .stop = request.stop};
}

std::function<void(const place::TrainingProgress&)> as_search_progress(
    const place::Request& request) {
  if (!request.progress) return {};
  return [&request](const place::TrainingProgress& at) {
    request.progress({.evaluations = at.evaluations,
                      .seconds = at.seconds,
                      .fraction_done = at.fraction_done,
                      .best_step_seconds = at.best_step_seconds,
                      .best_feasible = at.best_feasible,
                      .training = at});
  };
}

place::Placed placed_by(const Trainer& trainer, const std::string& run_remark) {
  const CaseTraining& only = *trainer.cases().front();
  return {.plan = only.best_plan(),
          .outcome = only.best(),
          .evaluations = trainer.evaluations_in_all(),
          .interrupted = trainer.interrupted(),
          .learned = only.learned(trainer.updates()),
          .remark = run_remark.empty() ? place::remark_on(only.best()) : run_remark};
}

place::Placed place(const Problem& problem, const place::Request& request,
                    const std::string& method, const std::string& curve_path) {
  Trainer trainer(setting_for(problem, request, method));
  if (request.start) trainer.consider_start(*request.start);
  const std::string remark = run_training(trainer, {.policy_path = {},
                                                    .curve_path = curve_path,
                                                    .resume = false,
                                                    .slim = false,
                                                    .progress = as_search_progress(request)});
  return placed_by(trainer, remark);
}

place::Trained train(const place::TrainingRequest& request) {
  Trainer trainer({.method = request.method,
                   .cases = request.cases,
                   .budget = finite(request.budget),
                   .seed = request.seed,
                   .stop = request.stop});
  place::Trained trained;
  trained.remark = run_training(trainer, {.policy_path = request.policy_path,
                                          .curve_path = request.curve_path,
                                          .resume = request.resume,
                                          .slim = request.slim,
                                          .progress = request.progress});
  for (const auto& one : trainer.cases()) {
    trained.cases.push_back({.model = one->given().model,
                             .cluster = one->given().cluster,
                             .best = one->best(),
                             .learned = one->learned(trainer.updates())});
  }
  trained.evaluations = trainer.evaluations();
  trained.updates = trainer.updates();
  trained.train_seconds = trainer.seconds();
  trained.interrupted = trainer.interrupted();
  trained.parameters = trainer.parameter_count();
  return trained;
}

place::Placed place_with_policy(const Problem& problem, const place::Request& request,
                                const place::PolicyUse& use) {
  const PolicyFile policy = read_policy(use.path);
  Trainer::Setting setting = setting_for(problem, request, policy.method);
  setting.budget = use.finetune;
  Trainer trainer(setting, policy, use.path);
  if (request.start) trainer.consider_start(*request.start);
  if (use.finetune.evaluations > 0 || use.finetune.seconds > 0) {
    trainer.consider_greedy();  // fine-tuning must not end with a worse plan than no tuning
    run_training(trainer, {.policy_path = {},
                           .curve_path = {},
                           .resume = false,
                           .slim = false,
                           .progress = as_search_progress(request)});
  } else {
    trainer.price_greedy();
  }
  trainer.sample(0, static_cast<std::int64_t>(use.samples));
  return placed_by(trainer, "");
}

// For memory that cannot be allocated the framework throws an error of its own with a trace of its
// calls; the program expects the standard one. It carries no code, so its text has to tell.
template <class Work>
auto minding_memory(const Work& work) {
  try {
    return work();
  } catch (const c10::Error& error) {
    if (std::string_view(error.what()).find("allocate memory") == std::string_view::npos) throw;
    throw std::bad_alloc();
  }
}

place::PolicySummary summarize(const std::string& path) {
  const PolicyFile file = read_policy(path);
  require_learned(file.method, path);
  place::PolicySummary summary;
  summary.method = place::brief_method(file.method);
  summary.seed = file.seed;
  summary.budget = file.budget;
  summary.evaluations = file.evaluations;
  summary.train_seconds = file.train_seconds;
  for (const StoredCase& one : file.cases) {
    summary.models.push_back(one.model);
    summary.clusters.push_back(one.cluster);
  }
  return summary;
}

const place::LearnModule kModule = {
    [](const auto&... all) { return minding_memory([&] { return place(all...); }); },
    [](const auto&... all) { return minding_memory([&] { return train(all...); }); },
    [](const auto&... all) { return minding_memory([&] { return place_with_policy(all...); }); },
    summarize};

}  // namespace
}  // namespace berth::learn

extern "C" [[gnu::visibility("default")]] const berth::place::LearnTable* berth_learn_table() {
  static const berth::place::LearnTable table = {BERTH_VERSION, berth::build_id(),
                                                 &berth::learn::kModule};
  return &table;
}
