#include "place/exact.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "place/judge.h"
#include "place/proof/refutation.h"
#include "place/remarks.h"

namespace berth {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kShareOfStart = 0.1;  // of the budget, for a plan to begin with
// And no more than this for every group: a small problem is sooner proven than searched.
constexpr double kStartEvaluations = 200;
// Without a budget: passes over the graph, and ops visited in all of them.
constexpr double kMostPasses = 50'000;
constexpr double kMostVisits = 2e7;
// Of the first attempt at the optimum; later ones get more.
constexpr double kFirstPasses = 256;
constexpr double kGrowth = 4;
constexpr int kBisections = 6;
constexpr double kWorthwhile = 1e-4;  // a limit so little above the bound is left alone

bool fits(const Outcome& outcome) { return outcome.routable && outcome.feasible; }

Budget limited(const Problem& problem, const Budget& budget) {
  if (budget != Budget{}) return budget;
  const auto ops = static_cast<double>(std::max<std::size_t>(1, problem.op_count()));
  return {.evaluations = std::clamp(kMostVisits / ops, 100.0, kMostPasses)};
}

struct Proof {
  bool complete = false;
  double bound_seconds = 0;
};

Proof prove(const Problem& problem, Judge& judge, double bound_seconds) {
  const Relaxation relaxation(problem);
  Refutation refutation(relaxation, judge);
  Proof proof{.bound_seconds = bound_seconds};
  const auto best = [&] {
    return fits(judge.best_outcome()) ? judge.best_outcome().step_seconds : kNever;
  };
  for (double passes = kFirstPasses; !judge.exhausted(); passes *= kGrowth) {
    if (proof.bound_seconds >= best() || refutation.run(kNever, passes)) {
      proof.complete = true;
      proof.bound_seconds = std::max(proof.bound_seconds, best());
      return proof;
    }
    double high = best();
    if (high == kNever) continue;
    for (int i = 0; i < kBisections && !judge.exhausted(); ++i) {
      high = std::min(high, best());
      if (high <= proof.bound_seconds * (1 + kWorthwhile)) break;
      const double middle = proof.bound_seconds + (high - proof.bound_seconds) / 2;
      if (refutation.run(middle, passes / kBisections)) {
        proof.bound_seconds = std::max(proof.bound_seconds, std::min(middle, best()));
      } else {
        high = middle;
      }
    }
  }
  return proof;
}

std::string remark_of(const Placed& placed, bool complete) {
  if (!complete) {
    const std::string remark = remark_on(placed.outcome);
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
  first.keep = nullptr;
  first.budget = {.seconds = budget.seconds * kShareOfStart,
                  .evaluations = std::max(
                      1.0, std::min(std::floor(budget.evaluations * kShareOfStart),
                                    kStartEvaluations * static_cast<double>(problem.group_count())))};
  const auto begin = std::chrono::steady_clock::now();
  Placed start = parse_method("auto").place(problem, first);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;

  Request rest = request;
  rest.budget = {.seconds = budget.seconds - elapsed.count(),
                 .evaluations = budget.evaluations - start.evaluations};
  rest.start = &start.plan;
  if (start.interrupted || rest.budget.evaluations < 2 ||
      problem.device_count() > Relaxation::kMostDevices) {
    start.remark = remark_of(start, false);
    return start;
  }
  Judge judge(problem, rest);
  const Proof proof = prove(problem, judge, lower_bounds(problem).best.seconds);
  Placed placed = judge.finish();
  placed.evaluations += start.evaluations;
  placed.remark = remark_of(placed, proof.complete);
  const bool placement_only = !request.tasks.schedule && !request.tasks.fusion;
  if (placement_only && fits(placed.outcome)) {
    placed.bound_seconds = std::min(proof.bound_seconds, placed.outcome.step_seconds);
  }
  return placed;
}

}  // namespace

Placer exact_placer() {
  return {.name = "exact",
          .summary = "branch and bound: the proven optimum of small problems, a bound for large",
          .reference =
              "Land and Doig, An Automatic Method of Solving Discrete Programming Problems, "
              "Econometrica 1960",
          .options = {},
          .place = place_exactly};
}

}  // namespace berth
