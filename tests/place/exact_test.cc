// Proofs held to plain enumeration, on problems small enough for that and as odd as can be.
#include "place/exact.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "cluster/presets.h"
#include "place/evaluator.h"
#include "place/proof/refutation.h"
#include "support/enumeration.h"
#include "support/odd_problem.h"
#include "support/small_problem.h"
#include "zoo/workload.h"

namespace berth::place {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
using Order = Refutation::Order;
constexpr const char* kProven = "proven: no placement is shorter";
constexpr const char* kNothingFits = "every placement was tried or ruled out, and none fits";

Placed run(const Problem& problem, double evaluations, std::uint64_t seed = 0) {
  Request request;
  request.seed = seed;
  request.budget.evaluations = evaluations;
  return parse_method("exact").place(problem, request);
}

TEST(Exact, FindsAndProvesTheOptimumOfOddProblems) {
  int proven = 0;
  int nothing_fits = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem = odd_problem(seed);
    const double best = shortest_step(problem);
    const Placed placed = run(problem, 20'000);
    if (best == kNever) {
      EXPECT_EQ(placed.remark, kNothingFits);
      EXPECT_EQ(placed.bound_seconds, 0);
      ++nothing_fits;
      continue;
    }
    EXPECT_EQ(placed.remark, kProven);
    EXPECT_EQ(placed.outcome.step_seconds, best);
    EXPECT_EQ(placed.bound_seconds, best);
    ++proven;
  }
  EXPECT_GT(proven, 800);
  EXPECT_GT(nothing_fits, 100);
}

// Without a plan to begin with, the search has to come upon the optimum itself.
TEST(Exact, RefutesOnlyWhatIsFalse) {
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem = odd_problem(10'000 + seed);
    const double best = shortest_step(problem);
    if (best == kNever) continue;
    const Relaxation relaxation(problem);
    Propagation propagation(relaxation);
    Domains domains = relaxation.domains;
    EXPECT_TRUE(propagation.narrow(domains, std::nextafter(best, kNever), kNever));
    for (const Order order : {Order::chronological, Order::heaviest_first}) {
      const Request request;
      Evaluator evaluator(problem, request);
      Refutation refutation(relaxation, evaluator);
      EXPECT_TRUE(refutation.run(kNever, kNever, order));
      ASSERT_TRUE(evaluator.has_best());
      EXPECT_EQ(evaluator.best_outcome().step_seconds, best);
    }
  }
}

// A budget that ends early leaves a bound that is not proven to be the optimum, but holds.
TEST(Exact, BoundIsNeverAboveTheOptimum) {
  int unfinished = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem = seed % 2 == 0 ? odd_problem(20'000 + seed) : small_problem(seed, 7, 3);
    const double best = shortest_step(problem);
    for (const double evaluations : {20.0, 60.0, 200.0}) {
      const Placed placed = run(problem, evaluations);
      EXPECT_LE(placed.bound_seconds, best);
      EXPECT_LE(placed.evaluations, evaluations + 4);  // a handful of leaves
      if (placed.remark == kProven) {
        EXPECT_EQ(placed.outcome.step_seconds, best);
      } else if (placed.outcome.feasible) {
        ++unfinished;
      }
    }
  }
  EXPECT_GT(unfinished, 100);
}

TEST(Exact, ProvesADozenGroupsOnThreeDevices) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Problem problem = small_problem(seed, 12, 3);
    ASSERT_EQ(problem.group_count(), 12u);
    const Placed placed = run(problem, 100'000);
    EXPECT_EQ(placed.remark, placed.outcome.feasible ? kProven : kNothingFits) << seed;
  }
}

TEST(Exact, RaisesTheBoundOfLargerProblems) {
  const Call call = parse_call("rnnlm:seq=4");
  const zoo::Workload& workload = zoo::find_workload(call.name);
  const Problem problem(
      workload.build(Options(workload.name, workload.options, call), zoo::Mode::training),
      make_preset("2xP100"));
  const Placed placed = run(problem, 1000);
  EXPECT_GT(placed.bound_seconds, 1.05 * bounds::lower_bounds(problem).best.seconds);
  EXPECT_LE(placed.bound_seconds, placed.outcome.step_seconds);
}

TEST(Exact, EndsWithinTheGap) {
  const Call call = parse_call("rnnlm:seq=4");
  const zoo::Workload& workload = zoo::find_workload(call.name);
  const Problem problem(
      workload.build(Options(workload.name, workload.options, call), zoo::Mode::training),
      make_preset("2xP100"));
  const Placed whole = run(problem, 1000);
  ASSERT_FALSE(whole.gap_reached);
  Request request;
  request.budget.evaluations = 1000;
  request.gap = 1.1 * whole.outcome.step_seconds / whole.bound_seconds - 1;
  const Placed placed = parse_method("exact").place(problem, request);
  EXPECT_TRUE(placed.gap_reached);
  EXPECT_LT(placed.evaluations, whole.evaluations);
  EXPECT_LE(placed.outcome.step_seconds, placed.bound_seconds * (1 + request.gap));
  EXPECT_EQ(placed.remark, "");
  // The bound is of placement alone.
  request.budget.evaluations = 2;
  request.gap = 100;
  request.tasks.schedule = true;
  EXPECT_FALSE(parse_method("exact").place(problem, request).gap_reached);
}

TEST(Exact, SaysNothingOfTasksItDoesNotDecide) {
  Request request;
  request.tasks.schedule = true;
  const Placed placed = parse_method("exact").place(small_problem(3, 6, 2), request);
  EXPECT_EQ(placed.remark, kProven);
  EXPECT_EQ(placed.bound_seconds, 0);
  EXPECT_TRUE(placed.plan.priority.empty());
}

TEST(Exact, EndsWithoutABudget) {
  const Placed placed = parse_method("exact").place(small_problem(15, 20, 4), Request{});
  EXPECT_LT(placed.evaluations, 60'000);
}

}  // namespace
}  // namespace berth::place
