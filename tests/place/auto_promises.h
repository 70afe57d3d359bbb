// What `auto` promises, as checks of one problem each: the quick tests run a few, the long ones
// many.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "place/evaluator.h"
#include "place/placer.h"
#include "support/constrained_problem.h"
#include "support/enumeration.h"
#include "support/tight_problem.h"

namespace berth::place::fixtures {

inline Placed run_auto(const Problem& problem, double evaluations, Tasks tasks = {},
                       std::uint64_t seed = 0) {
  Request request;
  request.budget.evaluations = evaluations;
  request.seed = seed;
  request.tasks = tasks;
  return parse_method("auto").place(problem, request);
}

// What the problems were like; a generator that only made easy ones would prove little.
struct OptimumCounts {
  int spread = 0;  // the optimum uses several devices
  int fit_nothing = 0;
  int missed = 0;
};

// `auto` against every plan there is.
inline void expect_optimum(std::uint64_t seed, const ConstrainedShape& shape, Tasks tasks,
                           OptimumCounts& counts) {
  constexpr double kEvaluations = 200'000;
  constexpr double kRounding = 1e-12;  // two orders of one length may differ in the last bit
  SCOPED_TRACE("seed " + std::to_string(seed));
  const PlantedProblem planted = constrained_problem(seed, shape);
  const Problem& problem = planted.problem;
  const double optimum = shortest_step(problem, tasks);
  const Placed placed = run_auto(problem, kEvaluations, tasks, seed);
  EXPECT_EQ(violations(problem, placed.plan), std::vector<std::string>());
  EXPECT_TRUE(tasks.schedule || placed.plan.priority.empty());
  EXPECT_EQ(placed.outcome, Simulator(problem).evaluate(placed.plan));
  if (std::isinf(optimum)) {
    EXPECT_FALSE(placed.outcome.feasible);
    EXPECT_NE(placed.remark, "");
    ++counts.fit_nothing;
    return;
  }
  EXPECT_TRUE(placed.outcome.feasible);
  const double excess = optimum > 0 ? placed.outcome.step_seconds / optimum - 1 : 0;
  EXPECT_LE(excess, kRounding) << "after " << placed.evaluations << " evaluations";
  EXPECT_LE(placed.bound_seconds, optimum * (1 + kRounding));
  const std::set<DeviceId> used(placed.plan.placement.begin(), placed.plan.placement.end());
  counts.spread += used.size() > 1 ? 1 : 0;
  counts.missed += !placed.outcome.feasible || excess > kRounding ? 1 : 0;
}

// The evaluations with which `auto` finds a plan that fits, or 0. Tried with small budgets first,
// because a search goes on to shorten the step once it has found one. All together are 122,000
// evaluations, for the largest of the problems less than 30 s on two cores.
inline double evaluations_to_fit(const Problem& problem, Placed* last = nullptr) {
  for (const double evaluations : {2'000.0, 20'000.0, 100'000.0}) {
    const Placed placed = run_auto(problem, evaluations);
    EXPECT_EQ(placed.outcome, Simulator(problem).evaluate(placed.plan));
    EXPECT_EQ(violations(problem, placed.plan), std::vector<std::string>());
    if (last) *last = placed;
    if (placed.outcome.feasible) return evaluations;
  }
  return 0;
}

}  // namespace berth::place::fixtures
