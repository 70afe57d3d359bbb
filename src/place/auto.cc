#include "place/auto.h"

#include <algorithm>
#include <future>
#include <thread>

#include "place/evaluator.h"
#include "place/learned/module.h"
#include "place/learned/policy_path.h"
#include "place/remarks.h"
#include "place/search/chains.h"
#include "place/search/enumeration.h"
#include "place/search/starts.h"

namespace berth::place {
namespace {

constexpr double kMostToEnumerate = 200'000;  // plans; of a small problem, they take a second

// Beside the policy's greedy plan; of the evaluations there are, a small part.
constexpr double kMostSamples = 15;
constexpr double kShareOfSamples = 0.02;

// The best of what a policy that was trained before draws.
Start start_of_policy(const Problem& problem, const Request& request, const std::string& named,
                      Evaluator& evaluator) {
  PolicyUse use;
  use.path = find_policy(named);
  use.samples = static_cast<std::uint64_t>(
      std::clamp(kShareOfSamples * evaluator.evaluations_left(), 0.0, kMostSamples));
  const Request part{.budget = {}, .seed = request.seed, .tasks = {}, .stop = request.stop};
  Placed placed = learn_module().place_with_policy(problem, part, use);
  evaluator.adopt(placed.plan, placed.outcome, placed.evaluations);
  return {std::move(placed.plan), std::move(placed.outcome)};
}

Placed place_automatically(const Problem& problem, const Request& given, const Options& options) {
  Request request = given;
  if (options.text("tasks") == "place") request.tasks = {};
  const auto wanted = static_cast<std::size_t>(options.integer("threads"));
  const std::size_t threads =
      wanted > 0 ? wanted : std::max(1u, std::thread::hardware_concurrency());
  Evaluator evaluator(problem, request);
  // Placers construct one after the other, so there is room for the bounds beside them.
  constexpr auto kBeside = std::launch::async | std::launch::deferred;
  std::future<bounds::Bounds> pending =
      std::async(threads > 1 ? kBeside : std::launch::deferred,
                 [&] { return bounds::lower_bounds(problem, request.tasks); });
  std::vector<Start> starts;
  if (evaluator.has_best()) starts.push_back({evaluator.best_plan(), evaluator.best_outcome()});
  // What has to stay can only be told of the plan that is there.
  if (request.keep == nullptr) {
    if (options.text("policy") != kNoPolicy) {
      Start start = start_of_policy(problem, request, options.text("policy"), evaluator);
      if (start.outcome.routable) starts.push_back(std::move(start));
    }
    for (Start& start : make_portfolio(problem, request, evaluator))
      starts.push_back(std::move(start));
  }
  bounds::Bounds bounds = pending.get();
  const auto finish = [&] {
    Placed placed = evaluator.finish(remark_on(evaluator.best_outcome()));
    // They are for the request where nothing was taken from its tasks.
    if (request.tasks == given.tasks) placed.bounds = std::move(bounds);
    return placed;
  };
  evaluator.know_bound(bounds.best.seconds);
  if (evaluator.exhausted() || starts.empty() || problem.group_count() == 0) return finish();
  if (count_plans(problem, request.tasks) <=
      std::min(evaluator.evaluations_left(), kMostToEnumerate)) {
    enumerate(problem, request.tasks, request.keep, evaluator);
    return finish();
  }
  const Landscape landscape(problem, request);
  if (request.keep == nullptr) {
    schedule_blocks(problem, landscape.families, threads, evaluator, starts);
  }
  anneal(landscape, request, threads, std::move(starts), evaluator);
  return finish();
}

}  // namespace

Placer auto_placer() {
  return {
      .name = "auto",
      .summary = "all of the others, then parallel search from the best of them",
      .reference = "Kirkpatrick, Gelatt and Vecchi, Optimization by Simulated Annealing, 1983",
      .options = {{.name = "threads",
                   .type = OptionSpec::Type::integer,
                   .default_value = "0",
                   .sentence = "Most threads; 0 for all cores. A budget in evaluations gives "
                               "the same plan with any number.",
                   .low = 0,
                   .high = 1024},
                  {.name = "tasks",
                   .type = OptionSpec::Type::choice,
                   .default_value = "given",
                   .sentence = "What to decide: as the request says, or `place` for devices alone, "
                               "to stand beside methods that decide nothing else.",
                   .choices = {"given", "place"}},
                  {.name = "policy",
                   .type = OptionSpec::Type::text,
                   .default_value = kNoPolicy,
                   .sentence = "File of a policy (berth train) whose plans are among those the "
                               "search begins from."}},
      .place = place_automatically,
      .searches = true,
      .knows_bound = true};
}

}  // namespace berth::place
