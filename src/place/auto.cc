#include "place/auto.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <memory>
#include <thread>

#include "base/error.h"
#include "base/interrupt.h"
#include "place/finish_schedule.h"
#include "place/group_devices.h"
#include "place/judge.h"
#include "place/remarks.h"
#include "place/search/annealer.h"

namespace berth {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kChains = 4;
constexpr double kHottest = 0.002;  // temperatures are relative changes of the step time
constexpr double kColdest = 0.0001;
constexpr double kRoundsOfEvaluations = 24;
constexpr double kSecondsOfRound = 0.25;
constexpr double kStepsWithoutBudget = 20'000;
constexpr double kMostToEnumerate = 200'000;  // placements; a small problem takes a second

// Placers that need no search, quick ones first: a small budget gets the most of them.
constexpr std::string_view kPortfolio[] = {"single",     "expert",          "etf",   "heft",
                                           "contiguous", "balanced_layers", "metis", "sct",
                                           "scotch",     "mincut",          "topo",  "round_robin"};

// The longest way from an op to the end, in seconds: who has far to go goes first.
std::vector<double> seconds_to_end(const Problem& problem) {
  const Graph& graph = problem.graph();
  std::vector<double> left(graph.op_count(), 0);
  const auto order = graph.topological_order();
  for (auto op = order.rbegin(); op != order.rend(); ++op) {
    double longest = 0;
    for (const OpId next : graph.successors(*op)) longest = std::max(longest, left[next.index()]);
    left[op->index()] = longest + problem.fastest_seconds(*op);
  }
  return left;
}

class AutoSearch {
 public:
  AutoSearch(const Problem& problem, const Request& request, std::size_t threads)
      : problem_(problem), request_(request), threads_(threads), begin_(Clock::now()) {}

  Placed run() {
    if (request_.start != nullptr) consider(*request_.start);
    run_portfolio();
    bound_seconds_ = lower_bounds(problem_, request_.tasks).best.seconds;
    if (!exhausted() && !proven() && problem_.group_count() > 0) {
      if (placements() <= std::min(evaluations_left(), kMostToEnumerate)) {
        enumerate();
      } else {
        anneal();
      }
    }
    return {.plan = best_plan_,
            .outcome = best_outcome_,
            .evaluations = evaluations_,
            .interrupted = interrupted_,
            .remark = remark_on(best_outcome_)};
  }

 private:
  double elapsed_seconds() const {
    return std::chrono::duration<double>(Clock::now() - begin_).count();
  }
  double evaluations_left() const { return request_.budget.evaluations - evaluations_; }
  bool exhausted() {
    if (!has_best_) return false;
    if (Interrupt::requested()) interrupted_ = true;
    return interrupted_ || evaluations_left() < 1 || elapsed_seconds() >= request_.budget.seconds;
  }

  // Nothing can be better: the rest of the budget would be wasted.
  bool proven() const {
    return has_best_ && best_outcome_.feasible && best_outcome_.step_seconds <= bound_seconds_;
  }

  void keep(const Plan& plan, const Outcome& outcome) {
    if (has_best_ && !better(outcome, best_outcome_)) return;
    has_best_ = true;
    best_plan_ = plan;
    best_outcome_ = outcome;
  }

  void consider(const Plan& plan) {
    Simulator simulator(problem_);
    keep(plan, simulator.evaluate(plan));
    starts_.push_back({plan, best_outcome_});
    evaluations_ += 1;
  }

  void run_portfolio() {
    for (const std::string_view name : kPortfolio) {
      if (exhausted()) return;
      if (name == "expert" && request_.expert == nullptr) continue;
      Request part{.budget = {.seconds = request_.budget.seconds - elapsed_seconds(),
                              .evaluations = evaluations_left()},
                   .seed = request_.seed,
                   .tasks = request_.tasks,
                   .expert = request_.expert};
      try {
        Placed placed = parse_method(name).place(problem_, part);
        evaluations_ += placed.evaluations;
        interrupted_ = interrupted_ || placed.interrupted;
        if (!placed.outcome.routable) continue;
        keep(placed.plan, placed.outcome);
        starts_.push_back({std::move(placed.plan), std::move(placed.outcome)});
        report();
      } catch (const InputError&) {
        continue;  // it does not apply to this problem
      }
    }
  }

  // The schedule of heft on every coarser graph, for starts that single ops cannot spoil.
  void run_on_clusters(const Landscape& landscape) {
    const UpwardRanks ranks = upward_ranks(problem_);
    const std::vector<std::int64_t> limits = memory_limits(problem_, 1.0);
    Simulator simulator(problem_);
    for (const Family& family : landscape.families) {
      for (const double factor : {1.0, 2.0, 4.0})
        for (const bool contention : {true, false}) {
          if (exhausted()) return;
          const FinishInputs inputs{.ranks = ranks,
                                    .contention = contention,
                                    .travel_factor = factor,
                                    .cluster_of = family.cluster_of};
          Plan plan;
          plan.placement = earliest_finish_schedule(problem_, inputs, limits).placement;
          const Outcome& outcome = simulator.evaluate(plan);
          evaluations_ += 1;
          if (!outcome.routable) continue;
          keep(plan, outcome);
          starts_.push_back({std::move(plan), outcome});
        }
    }
  }

  double placements() const {
    double count = 1;
    for (std::size_t group = 0; group < problem_.group_count(); ++group) {
      count *= static_cast<double>(problem_.allowed_devices(GroupId(group)).size());
    }
    return count;
  }

  // So few placements that all of them can be tried.
  void enumerate() {
    Simulator simulator(problem_);
    std::vector<std::size_t> choice(problem_.group_count(), 0);
    GroupDevices devices(choice.size());
    while (!exhausted()) {
      for (std::size_t group = 0; group < choice.size(); ++group) {
        devices[group] = problem_.allowed_devices(GroupId(group))[choice[group]];
      }
      Plan plan = plan_of(problem_, devices);
      keep(plan, simulator.evaluate(plan));
      evaluations_ += 1;
      std::size_t group = 0;
      while (group < choice.size() &&
             ++choice[group] == problem_.allowed_devices(GroupId(group)).size()) {
        choice[group++] = 0;
      }
      if (group == choice.size()) return;
    }
  }

  void anneal() {
    const Landscape landscape(problem_);
    run_on_clusters(landscape);
    if (exhausted()) return;
    std::stable_sort(starts_.begin(), starts_.end(), [](const Start& left, const Start& right) {
      return better(left.outcome, right.outcome);
    });
    const std::vector<double> priority =
        request_.tasks.schedule ? seconds_to_end(problem_) : std::vector<double>();
    std::vector<std::unique_ptr<Annealer>> chains;
    for (std::size_t i = 0; i < kChains && evaluations_left() >= 1; ++i) {
      chains.push_back(std::make_unique<Annealer>(landscape, request_.seed * kChains + i));
      Plan plan = starts_[std::min(i / 2, starts_.size() - 1)].plan;
      plan.fused.clear();
      if (!priority.empty() && i % 2 == 1) plan.priority = priority;
      chains.back()->start(plan);
      evaluations_ += 1;
    }
    gather(chains);
    const double total_evaluations = evaluations_left();
    const double begin_seconds = elapsed_seconds();
    const double total_seconds = request_.budget.seconds - begin_seconds;
    const bool timed = std::isfinite(total_seconds);
    const bool counted = std::isfinite(total_evaluations);
    const double all_steps = counted ? total_evaluations : kStepsWithoutBudget;
    while (!exhausted() && !proven()) {
      const double by_evaluations =
          timed && !counted ? 0
                            : 1 - (all_steps - (spent_in(chains) - spent_at_start_)) / all_steps;
      const double by_seconds = timed ? (elapsed_seconds() - begin_seconds) / total_seconds : 0;
      const double done = std::max(by_evaluations, by_seconds);
      if (done >= 1) break;
      const double temperature = kHottest * std::pow(kColdest / kHottest, done);
      double steps = std::floor(all_steps / kRoundsOfEvaluations / kChains);
      steps = std::max(1.0, std::min(steps, std::floor(evaluations_left() / kChains)));
      if (timed && !counted) steps = std::numeric_limits<double>::infinity();
      if (!run_round(chains, steps, temperature, timed ? kSecondsOfRound : 0)) break;
      gather(chains);
      report();
    }
  }

  double spent_in(const std::vector<std::unique_ptr<Annealer>>& chains) const {
    double spent = 0;
    for (const auto& chain : chains) spent += chain->evaluations();
    return spent;
  }

  // Returns false when no chain could take a step.
  bool run_round(const std::vector<std::unique_ptr<Annealer>>& chains, double steps,
                 double temperature, double seconds) {
    const double before = spent_in(chains);
    std::atomic<std::size_t> next = 0;
    const std::size_t threads = std::min(chains.size(), threads_);
    const double share =
        seconds * static_cast<double>(threads) / static_cast<double>(chains.size());
    const auto work = [&] {
      for (;;) {
        const std::size_t i = next++;
        if (i >= chains.size()) return;
        const Clock::time_point begin = Clock::now();
        const auto stop = [&] {
          if (Interrupt::requested()) return true;
          if (seconds == 0) return false;
          const Clock::time_point now = Clock::now();
          return std::chrono::duration<double>(now - begin).count() >= share ||
                 std::chrono::duration<double>(now - begin_).count() >= request_.budget.seconds;
        };
        chains[i]->run(steps, temperature, stop);
      }
    };
    std::vector<std::thread> others;
    for (std::size_t t = 1; t < threads; ++t) others.emplace_back(work);
    work();
    for (std::thread& thread : others) thread.join();
    const double spent = spent_in(chains) - before;
    evaluations_ += spent;
    return spent > 0;
  }

  // In order of chains, whatever thread ran them. The chain that is furthest behind goes on from
  // the best plan.
  void gather(const std::vector<std::unique_ptr<Annealer>>& chains) {
    Annealer* worst = chains.front().get();
    for (const auto& chain : chains) {
      keep(chain->best_plan(), chain->best_outcome());
      if (better(worst->best_outcome(), chain->best_outcome())) worst = chain.get();
    }
    if (spent_at_start_ == 0) {
      spent_at_start_ = spent_in(chains);
      return;
    }
    if (evaluations_left() < 1 || !better(best_outcome_, worst->best_outcome())) return;
    worst->start(best_plan_);
    evaluations_ += 1;
  }

  void report() {
    if (!request_.progress) return;
    SearchProgress progress{.evaluations = evaluations_, .seconds = elapsed_seconds()};
    progress.fraction_done = std::min(1.0, std::max(evaluations_ / request_.budget.evaluations,
                                                    progress.seconds / request_.budget.seconds));
    progress.best_step_seconds = best_outcome_.step_seconds;
    progress.best_feasible = best_outcome_.feasible;
    request_.progress(progress);
  }

  struct Start {
    Plan plan;
    Outcome outcome;
  };

  const Problem& problem_;
  const Request& request_;
  std::size_t threads_;
  Clock::time_point begin_;
  std::vector<Start> starts_;
  Plan best_plan_;
  Outcome best_outcome_;
  double bound_seconds_ = 0;
  double evaluations_ = 0;
  double spent_at_start_ = 0;
  bool interrupted_ = false;
  bool has_best_ = false;
};

Placed place_automatically(const Problem& problem, const Request& request, const Options& options) {
  const auto wanted = static_cast<std::size_t>(options.integer("threads"));
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  return AutoSearch(problem, request, wanted > 0 ? wanted : cores).run();
}

}  // namespace

Placer auto_placer() {
  return {.name = "auto",
          .summary = "all of the others, then parallel search from the best of them",
          .reference = "Kirkpatrick, Gelatt and Vecchi, Optimization by Simulated Annealing, 1983",
          .options = {{.name = "threads",
                       .type = OptionSpec::Type::integer,
                       .default_value = "0",
                       .sentence = "Most threads; 0 for all cores. A budget in evaluations gives "
                                   "the same plan with any number.",
                       .low = 0,
                       .high = 1024}},
          .place = place_automatically};
}

}  // namespace berth
