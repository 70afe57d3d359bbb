#include "experiments/generalization_run.h"

#include <fmt/format.h>

#include "experiments/generalization_training.h"
#include "experiments/policy_folder.h"
#include "experiments/subject.h"
#include "place/learned/module.h"

namespace berth::experiments {
namespace {

constexpr std::uint64_t kSamples = 50;  // drawn beside the greedy plan

Step step_of(const Outcome& outcome) {
  return outcome.routable && outcome.feasible ? Step(outcome.step_seconds) : std::nullopt;
}

// One unseen problem: everything that is measured on it.
class UnseenProblem {
 public:
  UnseenProblem(const HeldOut& problem, const GeneralizationOptions& options, std::string heading,
                const Observer& observer)
      : options_(options),
        heading_(std::move(heading)),
        subject_(problem.workload, problem.cluster, observer),
        request_(subject_.request(options.scratch, options.seed)) {
    row_.problem = problem;
    row_.ops = subject_.problem().op_count();
  }

  void run_baselines() {
    row_.random = best_of("random:units=256");
    row_.single = best_of("single");
    for (const char* const method : {"heft", "etf", "sct"}) {
      const Step step = best_of(method);
      if (step && (!row_.list || *step < *row_.list)) row_.list = step;
    }
    if (subject_.expert()) row_.expert = best_of("expert");
    row_.automatic = best_of("auto:tasks=place");
  }

  void run(const std::string& method, const std::string& policy) {
    Carried carried;
    const Measured zero_shot = use("zero-shot", {.path = policy, .samples = kSamples});
    carried.greedy = step_of(zero_shot.placed.learned->greedy);
    carried.zero_shot = step_of(zero_shot.placed.outcome);
    carried.zero_shot_seconds = zero_shot.seconds;
    const Measured tuned = use("tuned", {.path = policy, .finetune = options_.tune});
    carried.tuned = step_of(tuned.placed.outcome);
    const Measured scratch = subject_.run(method, request_, heading_);
    carried.scratch = step_of(scratch.placed.outcome);
    carried.scratch_greedy = step_of(scratch.placed.learned->greedy);
    row_.carried.push_back(carried);
  }

  GeneralizationRow take() { return std::move(row_); }

 private:
  Step best_of(const std::string& method) const {
    return step_of(subject_.run(method, request_, heading_).placed.outcome);
  }

  Measured use(const char* what, const place::PolicyUse& policy) const {
    return subject_.run_task(heading_ + ' ' + what, request_, [&](const place::Request& request) {
      return place::learn_module().place_with_policy(subject_.problem(), request, policy);
    });
  }

  const GeneralizationOptions& options_;
  std::string heading_;
  Subject subject_;
  place::Request request_;
  GeneralizationRow row_;
};

GeneralizationRun new_run(const GeneralizationOptions& options) {
  GeneralizationRun run;
  run.methods = options.methods;
  run.train_evaluations = options.train.evaluations;
  run.tune_evaluations = options.tune.evaluations;
  run.scratch_evaluations = options.scratch.evaluations;
  run.samples = kSamples;
  run.seed = options.seed;
  run.for_tuning = options.for_tuning;
  return run;
}

}  // namespace

GeneralizationRun run_generalization(const GeneralizationOptions& options,
                                     const Observer& observer) {
  place::learn_module();  // without it there is nothing to do, and better told at once
  const PolicyFolder folder(options.policies);
  GeneralizationRun run = new_run(options);
  run.train_seconds = train_policies(options, folder, observer);
  run.interrupted = run.train_seconds.size() < options.methods.size();
  const std::vector<HeldOut>& problems = options.problems;
  for (std::size_t i = 0; i < problems.size() && !run.interrupted; ++i) {
    UnseenProblem unseen(problems[i], options,
                         fmt::format("[{}/{}] {}", i + 1, problems.size(), problems[i].name()),
                         observer);
    unseen.run_baselines();
    for (const std::string& method : options.methods) {
      if (!observer.stop.requested()) unseen.run(method, folder.file(method));
    }
    run.interrupted = observer.stop.requested();
    if (!run.interrupted) run.rows.push_back(unseen.take());
  }
  return run;
}

}  // namespace berth::experiments
