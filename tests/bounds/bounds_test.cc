// Every bound against the optimum of all plans, by enumeration, on random problems small enough for
// that: all placements, all orders of priorities, all fusions. Comparisons are exact: a bound that
// is one unit in the last place too large fails.
#include "bounds/bounds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "bounds/bounds_problems.h"
#include "plan/plan.h"
#include "sim/simulator.h"
#include "support/enumeration.h"

namespace berth::bounds {
namespace {

// Every partition of the ops into groups, as the fused groups of `plan` (those of two and more).
void for_each_fusion(Plan& plan, std::size_t ops, const std::function<void(const Plan&)>& visit) {
  std::vector<std::size_t> part(ops, 0);
  const std::function<void(std::size_t, std::size_t)> extend = [&](std::size_t op,
                                                                   std::size_t parts) {
    if (op == ops) {
      std::vector<std::vector<OpId>> groups(parts);
      for (std::size_t i = 0; i < ops; ++i) groups[part[i]].emplace_back(i);
      plan.fused.clear();
      for (auto& group : groups) {
        if (group.size() > 1) plan.fused.push_back(group);
      }
      visit(plan);
      return;
    }
    for (part[op] = 0; part[op] <= parts; ++part[op]) {
      extend(op + 1, std::max(parts, part[op] + 1));
    }
  };
  extend(0, 0);
  plan.fused.clear();
}

struct Optimum {
  double feasible_seconds = INFINITY;
  double valid_seconds = INFINITY;
  std::int64_t least_over_bytes = std::numeric_limits<std::int64_t>::max();

  void add(const Outcome& outcome) {
    valid_seconds = std::min(valid_seconds, outcome.step_seconds);
    least_over_bytes = std::min(least_over_bytes, outcome.over_bytes);
    if (outcome.feasible) feasible_seconds = std::min(feasible_seconds, outcome.step_seconds);
  }
};

// How near the best bound comes, so that bounds of 0 would not pass.
struct Tightness {
  double sum = 0;
  int count = 0;
  double mean() const { return count == 0 ? 0 : sum / count; }
};

void check(const Problem& problem, Tasks tasks, const Optimum& optimum, Tightness& tightness) {
  const Infeasibility infeasible = prove_infeasible(problem, tasks);
  EXPECT_LE(infeasible.missing_bytes, optimum.least_over_bytes) << infeasible.explanation;
  EXPECT_EQ(infeasible.missing_bytes == 0, infeasible.explanation.empty());
  const double limit =
      infeasible.missing_bytes > 0 ? optimum.valid_seconds : optimum.feasible_seconds;
  const Bounds bounds = lower_bounds(problem, tasks);
  ASSERT_FALSE(bounds.all.empty());
  double largest = 0;
  for (const Bound& bound : bounds.all) {
    EXPECT_TRUE(std::isfinite(bound.seconds)) << bound.name;
    EXPECT_GE(bound.seconds, 0) << bound.name;
    EXPECT_LE(bound.seconds, limit) << bound.name << ": " << bound.explanation;
    EXPECT_FALSE(bound.explanation.empty());
    largest = std::max(largest, bound.seconds);
  }
  EXPECT_EQ(bounds.best.seconds, largest);
  if (std::isfinite(limit) && limit > 0) {
    tightness.sum += bounds.best.seconds / limit;
    ++tightness.count;
  }
}

Optimum best_placement(const Problem& problem) {
  Optimum optimum;
  Simulator simulator(problem);
  for_each_placement(problem, [&](Plan& plan) {
    const Outcome& outcome = simulator.evaluate(plan);
    if (outcome.routable) optimum.add(outcome);
  });
  return optimum;
}

Optimum best_schedule(const Problem& problem) {
  Optimum optimum;
  Simulator simulator(problem);
  for_each_placement(problem, [&](Plan& plan) {
    for_each_order(plan, [&](const Plan& ordered) {
      const Outcome& outcome = simulator.evaluate(ordered);
      if (outcome.routable) optimum.add(outcome);
      return outcome.routable;
    });
  });
  return optimum;
}

Optimum best_fusion(const Problem& problem) {
  Optimum optimum;
  Simulator simulator(problem);
  for_each_placement(problem, [&](Plan& plan) {
    for_each_fusion(plan, problem.op_count(), [&](const Plan& fused) {
      if (!violations(problem, fused, 1).empty()) return;
      const Outcome& outcome = simulator.evaluate(fused);
      if (outcome.routable) optimum.add(outcome);
    });
  });
  return optimum;
}

double check_many(std::uint64_t seed, int problems, const Shape& shape, Tasks tasks,
                  Optimum (*best)(const Problem&)) {
  Tightness tightness;
  Random random(seed);
  for (int i = 0; i < problems; ++i) {
    SCOPED_TRACE("problem " + std::to_string(i));
    const Problem problem = random_problem(random, shape);
    check(problem, tasks, best(problem), tightness);
    if (testing::Test::HasFailure()) break;
  }
  return tightness.mean();
}

TEST(BoundsByEnumeration, Placement) {
  EXPECT_GT(check_many(1, 400, {.most_ops = 7}, {}, best_placement), 0.9);
}

TEST(BoundsByEnumeration, PlacementInTightMemory) {
  EXPECT_GT(check_many(2, 600, {.most_ops = 6, .tight_memory = true}, {}, best_placement), 0.9);
}

TEST(BoundsByEnumeration, PlacementWithModelledCosts) {
  const Shape shape{.most_ops = 6, .costs = Costs::mixed, .tight_memory = true};
  EXPECT_GT(check_many(3, 400, shape, {}, best_placement), 0.9);
}

TEST(BoundsByEnumeration, Schedule) {
  EXPECT_GT(check_many(4, 60, {.most_ops = 5}, {.schedule = true}, best_schedule), 0.9);
  const Shape shape{.most_ops = 5, .costs = Costs::modelled, .tight_memory = true};
  EXPECT_GT(check_many(5, 60, shape, {.schedule = true}, best_schedule), 0.9);
}

TEST(BoundsByEnumeration, PlacementOfTrainingSteps) {
  const Shape shape{.most_ops = 5, .form = Form::training};
  EXPECT_GT(check_many(9, 400, shape, {}, best_placement), 0.9);
}

TEST(BoundsByEnumeration, PlacementOfTrainingStepsInTightMemory) {
  const Shape shape{.most_ops = 4, .tight_memory = true, .form = Form::training};
  EXPECT_GT(check_many(10, 400, shape, {}, best_placement), 0.9);
}

TEST(BoundsByEnumeration, PlacementOfForksAndJoins) {
  const Shape shape{.most_ops = 8, .form = Form::ladder};
  EXPECT_GT(check_many(11, 300, shape, {}, best_placement), 0.9);
}

TEST(BoundsByEnumeration, ScheduleOfForksAndJoins) {
  const Shape shape{.most_ops = 6, .most_devices = 2, .form = Form::ladder};
  EXPECT_GT(check_many(12, 60, shape, {.schedule = true}, best_schedule), 0.9);
}

TEST(BoundsByEnumeration, FusionOfForksAndJoins) {
  const Shape shape{.most_ops = 6, .most_devices = 2, .form = Form::ladder};
  EXPECT_GT(check_many(13, 150, shape, {.fusion = true}, best_fusion), 0.5);
}

TEST(BoundsByEnumeration, FusionOfGivenCosts) {
  const Shape shape{.most_ops = 5, .most_devices = 2};
  EXPECT_GT(check_many(6, 200, shape, {.fusion = true}, best_fusion), 0.8);
}

TEST(BoundsByEnumeration, FusionOfModelledCosts) {
  const Shape shape{.most_ops = 5, .most_devices = 2, .costs = Costs::modelled};
  EXPECT_GT(check_many(7, 200, shape, {.fusion = true}, best_fusion), 0.8);
}

TEST(BoundsByEnumeration, FusionOfMixedCostsInTightMemory) {
  const Shape shape{.most_ops = 5, .most_devices = 2, .costs = Costs::mixed, .tight_memory = true};
  EXPECT_GT(check_many(8, 200, shape, {.fusion = true}, best_fusion), 0.8);
}

}  // namespace
}  // namespace berth::bounds
