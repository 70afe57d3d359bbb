#include "experiments/generalization_training.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <filesystem>

#include "base/error.h"
#include "experiments/subject.h"
#include "place/learned/module.h"
#include "report/text.h"

namespace berth::experiments {
namespace {

constexpr std::size_t kMethodColumns = 30;  // of the terminal

// Otherwise results of another training would be reported as those of this one.
void require_same_training(const place::PolicySummary& kept, const place::TrainingRequest& asked,
                           const GeneralizationOptions& options) {
  const auto refuse = [&](const char* what, const std::string& found, const std::string& due) {
    throw InputError(
        fmt::format("{}: this policy's {} is {} and {} is asked for now; name another folder, or "
                    "remove the file",
                    asked.policy_path, what, found, due),
        {.code = ErrorCode::bad_option, .subject = "policies", .place = asked.policy_path});
  };
  if (kept.method != asked.method) refuse("method", kept.method, asked.method);
  if (kept.seed != asked.seed) {
    refuse("seed", fmt::format("{}", kept.seed), fmt::format("{}", asked.seed));
  }
  const std::string budget = format_budget(asked.budget);
  if (kept.budget != budget) refuse("budget", kept.budget, budget);
  const auto same_cluster = [&](const std::string& name) { return name == options.cluster; };
  if (kept.models != options.models || !std::ranges::all_of(kept.clusters, same_cluster)) {
    refuse("training",
           fmt::format("on {} networks, the first {} on {}", kept.models.size(),
                       kept.models.empty() ? "" : kept.models.front(),
                       kept.clusters.empty() ? "" : kept.clusters.front()),
           fmt::format("{}, the first {} on {},", options.models.size(), options.models.front(),
                       options.cluster));
  }
}

// Training ends when the rest of the budget is just enough to evaluate the greedy plans.
bool is_complete(const place::PolicySummary& kept, const Budget& budget) {
  return kept.evaluations + static_cast<double>(kept.models.size()) >= budget.evaluations;
}

// The training problems, loaded when the first policy needs them: with all policies kept, none
// does.
class TrainingProblems {
 public:
  const std::vector<place::TrainingCase>& load(const GeneralizationOptions& options,
                                               const Observer& observer) {
    if (!cases_.empty()) return cases_;
    for (const std::string& model : options.models) {
      const Subject& subject = subjects_.emplace_back(model, options.cluster, observer);
      cases_.push_back({.problem = &subject.problem(),
                        .expert = subject.expert(),
                        .model = subject.workload(),
                        .cluster = subject.cluster()});
    }
    return cases_;
  }

 private:
  std::deque<Subject> subjects_;
  std::vector<place::TrainingCase> cases_;
};

}  // namespace

std::vector<double> train_policies(const GeneralizationOptions& options, const PolicyFolder& folder,
                                   const Observer& observer) {
  TrainingProblems problems;
  std::vector<double> seconds;
  for (const std::string& method : options.methods) {
    const std::string path = folder.file(method);
    place::TrainingRequest request{.method = method,
                                   .cases = {},
                                   .budget = options.train,
                                   .seed = options.seed,
                                   .policy_path = path,
                                   .curve_path = path + ".jsonl",
                                   .stop = observer.stop};
    std::error_code ignored;
    if (std::filesystem::exists(path, ignored)) {
      const place::PolicySummary kept = place::learn_module().summarize(path);
      require_same_training(kept, request, options);
      request.resume = !is_complete(kept, request.budget);
      if (!request.resume) {
        seconds.push_back(kept.train_seconds);
        continue;
      }
    }
    if (observer.training) {
      request.progress = [&](const place::TrainingProgress& at) {
        observer.training(report::plain_name(method, kMethodColumns), at);
      };
    }
    request.cases = problems.load(options, observer);
    const place::Trained trained = place::learn_module().train(request);
    if (trained.interrupted) break;
    seconds.push_back(trained.train_seconds);
  }
  return seconds;
}

}  // namespace berth::experiments
