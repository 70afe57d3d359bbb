#include "place/exact.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "place/evaluator.h"
#include "place/proof/refutation.h"
#include "place/remarks.h"

namespace berth::place {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kShareOfStart = 0.1;  // of the budget, for a plan to begin with
// And at most this many per group: a small problem is proven sooner than searched.
constexpr double kStartEvaluations = 200;
// Without a budget: passes over the graph, and ops visited in all of them.
constexpr double kMostPasses = 50'000;
constexpr double kMostVisits = 2e7;
// Passes of the first attempt at the optimum, and the factor by which later attempts grow. With a
// factor of 4 all failed attempts together cost a third of the last one.
constexpr double kFirstPasses = 8;
constexpr double kGrowth = 4;
constexpr double kStrictPasses = 1000;
constexpr int kBisections = 10;
constexpr double kLeastSearch = 500;  // evaluations; fewer are not worth the constructive placers
constexpr double kWorthwhile = 1e-4;  // a limit so little above the bound is left alone

bool fits(const Outcome& outcome) { return outcome.routable && outcome.feasible; }

Budget limited(const Problem& problem, const Budget& budget) {
  if (budget != Budget{}) return budget;
  const auto ops = static_cast<double>(std::max<std::size_t>(1, problem.op_count()));
  return {.evaluations = std::clamp(kMostVisits / ops, 100.0, kMostPasses)};
}

class Prover {
 public:
  Prover(const Problem& problem, const Request& request, const bounds::Bounds& bounds,
         Evaluator& evaluator)
      : problem_(problem),
        request_(request),
        bounds_(bounds),
        evaluator_(evaluator),
        relaxation_(problem),
        refutation_(relaxation_, evaluator),
        bound_seconds_(bounds.best.seconds) {}

  // True when every placement was tried or ruled out, or the best is as short as the bound.
  bool run() {
    for (double passes = kFirstPasses;; passes *= kGrowth) {
      // At first a proof to the last bit is tried. After that, a gap as small as rounding is
      // accepted.
      if (passes > kStrictPasses || request_.gap > kNoGap) evaluator_.know_bound(bound_seconds_);
      if (evaluator_.exhausted()) break;
      if (bound_seconds_ >= best() || refutation_.run(kNever, passes, Order::chronological) ||
          refutation_.run(kNever, passes, Order::heaviest_first)) {
        bound_seconds_ = std::max(bound_seconds_, best());
        evaluator_.know_bound(bound_seconds_);
        return true;
      }
      raise_bound(passes);
      search(std::floor(passes * kShareOfStart));
    }
    return best() <= bound_seconds_ * (1 + kNoGap);
  }

  double bound_seconds() const { return bound_seconds_; }

 private:
  using Order = Refutation::Order;

  double best() const {
    return fits(evaluator_.best_outcome()) ? evaluator_.best_outcome().step_seconds : kNever;
  }

  // Refutes limits between the bound and the best plan.
  void raise_bound(double passes) {
    double high = best();
    for (int i = 0; i < kBisections && high < kNever && !evaluator_.exhausted(); ++i) {
      high = std::min(high, best());
      if (high <= bound_seconds_ * (1 + kWorthwhile)) return;
      const double middle = bound_seconds_ + (high - bound_seconds_) / 2;
      if (refutation_.run(middle, passes / kBisections, Order::heaviest_first)) {
        bound_seconds_ = std::max(bound_seconds_, std::min(middle, best()));
      } else {
        high = middle;
      }
    }
  }

  // A shorter plan gives a lower limit, which is easier to refute, so `auto` looks for one.
  void search(double evaluations) {
    Request more = request_;
    more.budget = {.seconds = evaluator_.seconds_left() * kShareOfStart,
                   .evaluations = std::min(evaluator_.evaluations_left(), evaluations)};
    more.seed = request_.seed + ++searches_;
    more.start = &evaluator_.best_plan();
    more.progress = {};
    more.bounds = &bounds_;
    if (more.budget.evaluations < kLeastSearch || evaluator_.exhausted()) return;
    const Placed found = parse_method("auto").place(problem_, more);
    evaluator_.adopt(found.plan, found.outcome, found.evaluations);
  }

  const Problem& problem_;
  const Request& request_;
  const bounds::Bounds& bounds_;  // of placements
  Evaluator& evaluator_;
  const Relaxation relaxation_;
  Refutation refutation_;
  double bound_seconds_ = 0;
  std::uint64_t searches_ = 0;
};

std::string remark_of(const Placed& placed, bool complete) {
  if (!complete) {
    std::string remark = remark_on(placed.outcome);
    if (placed.gap_reached) return remark;
    return remark.empty() ? "the budget ended before every placement was tried or ruled out"
                          : remark;
  }
  return fits(placed.outcome) ? "proven: no placement is shorter"
                              : "every placement was tried or ruled out, and none fits";
}

Placed place_exactly(const Problem& problem, const Request& request, const Options&) {
  const Budget budget = limited(problem, request.budget);
  Request first = request;
  first.tasks = {};
  // Bounds that hold when more is decided would be too small here.
  if (request.tasks != first.tasks) first.bounds = nullptr;
  // The proof is about all placements, so the first plan may move anything.
  first.keep = nullptr;
  first.budget = {
      .seconds = budget.seconds * kShareOfStart,
      .evaluations =
          std::max(1.0, std::min(std::floor(budget.evaluations * kShareOfStart),
                                 kStartEvaluations * static_cast<double>(problem.group_count())))};
  if (request.progress) {
    first.progress = [&](SearchProgress at) {
      at.fraction_done *= kShareOfStart;
      request.progress(at);
    };
  }
  const auto begin = std::chrono::steady_clock::now();
  Placed start = parse_method("auto").place(problem, first);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;

  Request rest = request;
  rest.budget = {.seconds = budget.seconds - elapsed.count(),
                 .evaluations = budget.evaluations - start.evaluations};
  rest.start = &start.plan;
  if (request.progress) {
    rest.progress = [&](SearchProgress at) {
      at.evaluations += start.evaluations;
      at.seconds += elapsed.count();
      at.fraction_done = kShareOfStart + (1 - kShareOfStart) * at.fraction_done;
      request.progress(at);
    };
  }
  const bool suits = Relaxation::suits(problem);
  if (request.tasks.schedule || request.tasks.fusion) {
    start.bounds = std::nullopt;
    start.gap_reached = false;
  }
  if (start.interrupted || rest.budget.evaluations < 2 || !suits) {
    start.remark = remark_of(start, false);
    if (!suits && fits(start.outcome))
      start.remark = "too large for a proof; this is the plan of auto";
    return start;
  }
  Evaluator evaluator(problem, rest);
  const bounds::Bounds bounds = start.bounds ? *start.bounds : bounds::lower_bounds(problem);
  Prover prover(problem, first, bounds, evaluator);
  const bool complete = prover.run();
  Placed placed = evaluator.finish();
  placed.evaluations += start.evaluations;
  placed.remark = remark_of(placed, complete);
  // A proof about placements says nothing about plans that decide more.
  if (request.tasks.schedule || request.tasks.fusion) {
    placed.gap_reached = false;
    return placed;
  }
  placed.bounds = bounds;
  if (fits(placed.outcome)) {
    placed.bound_seconds = std::min(prover.bound_seconds(), placed.outcome.step_seconds);
  }
  return placed;
}

}  // namespace

Placer exact_placer() {
  return {
      .name = "exact",
      .summary = "branch and bound: the proven optimum of small problems, bounds for larger ones",
      .reference =
          "Land and Doig, An Automatic Method of Solving Discrete Programming Problems, "
          "Econometrica 1960",
      .options = {},
      .place = place_exactly,
      .searches = true,
      .knows_bound = true};
}

}  // namespace berth::place
