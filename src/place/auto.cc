#include "place/auto.h"

#include <algorithm>
#include <cmath>
#include <future>
#include <thread>

#include "place/evaluator.h"
#include "place/learned/module.h"
#include "place/learned/policy_path.h"
#include "place/remarks.h"
#include "place/search/chains.h"
#include "place/search/enumeration.h"
#include "place/search/host_start.h"
#include "place/search/phases.h"
#include "place/search/starts.h"

namespace berth::place {
namespace {

constexpr std::string_view kPolicy = "policy";
constexpr std::string_view kPortfolio = "portfolio";
constexpr std::string_view kEnumeration = "enumeration";
constexpr std::string_view kCoarseSchedules = "coarse_schedules";
constexpr std::string_view kAnnealing = "annealing";
constexpr std::string_view kPhases[] = {kPolicy, kPortfolio, kEnumeration, kCoarseSchedules,
                                        kAnnealing};

constexpr double kMostToEnumerate = 200'000;  // plans; a second of work on a small problem

// Samples drawn in addition to the greedy plan; a small part of the evaluations.
constexpr double kMostSamples = 15;
constexpr double kShareOfSamples = 0.02;
// Evaluations that the start plan of the policy and its greedy plan may take.
constexpr double kLeastForPolicy = 4;
constexpr double kShareOfSchedules = 0.15;

// The best plan of a policy that was trained before.
Start start_of_policy(const Problem& problem, const Request& request, const std::string& named,
                      double share, Evaluator& evaluator) {
  PolicyUse use;
  use.path = find_policy(named);
  use.samples = static_cast<std::uint64_t>(
      std::clamp(share * evaluator.evaluations_left(), 0.0, kMostSamples));
  const Request part{.budget = {}, .seed = request.seed, .tasks = {}, .stop = request.stop};
  Placed placed = learn_module().place_with_policy(problem, part, use);
  evaluator.adopt(placed.plan, placed.outcome, placed.evaluations);
  return {std::move(placed.plan), std::move(placed.outcome)};
}

// The search of one request. Methods are in the order in which the phases run: each phase starts
// from what the phases before it found. Where enumeration applies, nothing is left to search.
class AutoSearch {
 public:
  AutoSearch(const Problem& problem, const Request& given, const Options& options)
      : problem_(problem),
        given_(given),
        request_(asked(given, options)),
        policy_path_(options.text("policy")),
        chain_options_(chain_options(request_, options)),
        evaluator_(problem, request_),
        phases_(evaluator_, parse_phases(options.text("skip"), kPhases)) {}

  Placed run() {
    std::future<bounds::Bounds> pending = begin_bounds();
    if (evaluator_.has_best())
      starts_.push_back({evaluator_.best_plan(), evaluator_.best_outcome()});
    // With a move limit, only plans close to the running plan are of use.
    if (request_.keep == nullptr) construct();
    bounds::Bounds bounds = pending.get();
    evaluator_.know_bound(bounds.best.seconds);
    if (!starts_.empty() && problem_.group_count() > 0) search();
    Placed placed = evaluator_.finish(remark_on(evaluator_.best_outcome()));
    placed.phases = phases_.take_reports();
    // They hold for the tasks of the request only if no task was left out.
    if (request_.tasks == given_.tasks) placed.bounds = std::move(bounds);
    return placed;
  }

 private:
  static Request asked(const Request& given, const Options& options) {
    Request request = given;
    if (options.text("tasks") == "place") request.tasks = {};
    return request;
  }

  static ChainOptions chain_options(const Request& request, const Options& options) {
    ChainOptions chosen;
    chosen.threads = static_cast<std::size_t>(options.integer("threads"));
    if (chosen.threads == 0) chosen.threads = std::max(1u, std::thread::hardware_concurrency());
    chosen.chains = static_cast<std::size_t>(options.integer("chains"));
    if (chosen.chains > 0) return chosen;
    // With a budget in evaluations the plan must not depend on the number of cores.
    const bool counted = std::isfinite(request.budget.evaluations);
    chosen.chains = counted ? kFewestChains : std::max(kFewestChains, chosen.threads);
    return chosen;
  }

  // In parallel with the portfolio, which does not always use all cores.
  std::future<bounds::Bounds> begin_bounds() const {
    constexpr auto kBeside = std::launch::async | std::launch::deferred;
    return std::async(chain_options_.threads > 1 ? kBeside : std::launch::deferred, [this] {
      const bool known = given_.bounds != nullptr && request_.tasks == given_.tasks;
      return known ? *given_.bounds : bounds::lower_bounds(problem_, request_.tasks);
    });
  }

  void construct() {
    if (policy_path_ != kNoPolicy && evaluator_.evaluations_left() >= kLeastForPolicy) {
      phases_.run(kPolicy, kShareOfSamples, [&](double share) {
        Start start = start_of_policy(problem_, request_, policy_path_, share, evaluator_);
        if (start.outcome.routable) starts_.push_back(std::move(start));
      });
    }
    phases_.run(kPortfolio, 1, [&](double) {
      portfolio({});
      add_host_start(problem_, request_, evaluator_, starts_);
    });
    // A search needs a plan to start from, and the request needs a plan as its answer.
    if (!evaluator_.has_best()) phases_.run("single", 1, [&](double) { portfolio("single"); });
  }

  void portfolio(std::string_view only) {
    for (Start& start :
         make_portfolio(problem_, request_, only, chain_options_.threads, evaluator_)) {
      starts_.push_back(std::move(start));
    }
  }

  void search() {
    if (!phases_.skips(kEnumeration) &&
        count_plans(problem_, request_.tasks) <=
            std::min(evaluator_.evaluations_left(), kMostToEnumerate)) {
      return phases_.run(kEnumeration, 1, [&](double) {
        enumerate(problem_, request_.tasks, request_.keep, evaluator_);
      });
    }
    if (evaluator_.exhausted()) return;
    const Landscape landscape(problem_, request_);
    if (request_.keep == nullptr) {
      phases_.run(kCoarseSchedules, kShareOfSchedules, [&](double share) {
        schedule_blocks(problem_, landscape.families, request_.seed, share, chain_options_.threads,
                        evaluator_, starts_);
      });
    }
    phases_.run(kAnnealing, 1, [&](double) {
      anneal(landscape, request_, chain_options_, std::move(starts_), evaluator_);
    });
  }

  const Problem& problem_;
  const Request& given_;
  const Request request_;
  const std::string& policy_path_;
  const ChainOptions chain_options_;
  Evaluator evaluator_;
  PhaseRunner phases_;
  std::vector<Start> starts_;
};

Placed place_automatically(const Problem& problem, const Request& request, const Options& options) {
  return AutoSearch(problem, request, options).run();
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
                   .sentence = "Largest number of threads; 0 for all cores. With a budget in "
                               "evaluations the plan does not depend on it.",
                   .low = 0,
                   .high = 1024},
                  {.name = "chains",
                   .type = OptionSpec::Type::integer,
                   .default_value = "0",
                   .sentence = "Number of annealing chains; 0 for 4, or for one per core where "
                               "there are more cores and the budget is in time alone.",
                   .low = 0,
                   .high = 1024},
                  {.name = "skip",
                   .type = OptionSpec::Type::text,
                   .default_value = kNoPhase,
                   .sentence = "Phases to leave out, joined by +: policy, portfolio, "
                               "enumeration, coarse_schedules, annealing."},
                  {.name = "tasks",
                   .type = OptionSpec::Type::choice,
                   .default_value = "given",
                   .sentence = "Decisions of the search: those of the request, or `place` for "
                               "devices alone, to compare with methods that decide nothing else.",
                   .choices = {"given", "place"}},
                  {.name = "policy",
                   .type = OptionSpec::Type::text,
                   .default_value = kNoPolicy,
                   .sentence = "File of a policy (berth train) whose plans the search starts "
                               "from, among others."}},
      .place = place_automatically,
      .searches = true,
      .knows_bound = true};
}

}  // namespace berth::place
