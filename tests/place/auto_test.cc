#include "place/auto.h"

#include <gtest/gtest.h>

#include "cluster/presets.h"
#include "place/evaluator.h"
#include "support/enumeration.h"
#include "zoo/workload.h"

namespace berth::place {
namespace {

Placed search(const Problem& problem, double evaluations, const std::string& method = "auto",
              Tasks tasks = {}) {
  Request request;
  request.budget.evaluations = evaluations;
  request.seed = 3;
  request.tasks = tasks;
  return parse_method(method).place(problem, request);
}

Graph build(const std::string& text) {
  const Call call = parse_call(text);
  const zoo::Workload& workload = zoo::find_workload(call.name);
  return workload.build(Options(workload.name, workload.options, call), zoo::Mode::training);
}

TEST(Auto, GivesTheSamePlanWithAnyNumberOfThreads) {
  const Problem problem(build("layered:ops=200"), make_preset("4xP100"));
  const Placed one = search(problem, 1500, "auto:threads=1");
  for (const char* method : {"auto:threads=2", "auto:threads=4", "auto:threads=7"}) {
    const Placed other = search(problem, 1500, method);
    EXPECT_EQ(other.plan, one.plan) << method;
    EXPECT_EQ(other.evaluations, one.evaluations) << method;
  }
}

TEST(Auto, IsBetterThanEveryOtherWithAsManyEvaluations) {
  for (const char* workload : {"layered:ops=300", "rnnlm:seq=6", "inception_v3:batch=1"}) {
    const Problem problem(build(workload), make_preset("2xP100"));
    const Placed found = search(problem, 1500);
    ASSERT_TRUE(found.outcome.feasible);
    for (const Placer& placer : placers()) {
      if (placer.name == "auto" || placer.name == "expert" || placer.learned) continue;
      const Placed other = search(problem, 1500, placer.name);
      EXPECT_FALSE(better(other.outcome, found.outcome)) << workload << " by " << placer.name;
    }
  }
}

TEST(Auto, GainsByPrioritiesWhereTheyAreAllowed) {
  const Problem problem(build("nmt:layers=2:seq=10"), make_preset("4xP100"));
  const Placed fifo = search(problem, 1000);
  const Placed scheduled = search(problem, 1000, "auto", {.schedule = true});
  EXPECT_TRUE(fifo.plan.priority.empty());
  EXPECT_FALSE(scheduled.plan.priority.empty());
  EXPECT_LT(scheduled.outcome.step_seconds, 0.9 * fifo.outcome.step_seconds);
}

// A chain cannot be cut to advantage, and the critical path says so.
TEST(Auto, StopsWhenNothingCanBeBetter) {
  const Problem problem(build("chain:ops=40"), make_preset("4xP100"));
  const Placed found = search(problem, 100'000);
  EXPECT_LT(found.evaluations, 1000);
  EXPECT_EQ(found.outcome.transfers, 0);
}

// The best plan is as short as the bound but for rounding.
TEST(Auto, StopsWhenTheBoundIsMetWithinRounding) {
  const Problem problem(build("tiny"), make_preset("4xP100"));
  const Placed found = search(problem, 100'000);
  EXPECT_LT(found.evaluations, 20'000);
  EXPECT_TRUE(found.gap_reached);
  ASSERT_TRUE(found.bounds.has_value());
  EXPECT_LE(found.outcome.step_seconds, found.bounds->best.seconds * (1 + kNoGap));
}

TEST(Auto, StopsWithinTheGapTheSameWithAnyNumberOfThreads) {
  const Problem problem(build("layered:ops=200"), make_preset("4xP100"));
  Request request;
  request.budget.evaluations = 3000;
  const Placed best = parse_method("auto").place(problem, request);
  ASSERT_FALSE(best.gap_reached);
  const double bound_seconds = best.bounds->best.seconds;
  // Half way from the best there is to be found.
  request.gap = 1.05 * best.outcome.step_seconds / bound_seconds - 1;
  const Placed one = parse_method("auto:threads=1").place(problem, request);
  EXPECT_TRUE(one.gap_reached);
  EXPECT_LT(one.evaluations, best.evaluations);
  EXPECT_LE(one.outcome.step_seconds, bound_seconds * (1 + request.gap));
  const Placed other = parse_method("auto:threads=3").place(problem, request);
  EXPECT_EQ(other.plan, one.plan);
  EXPECT_EQ(other.evaluations, one.evaluations);
}

TEST(Auto, FindsTheOptimumOfSmallProblems) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Problem problem(build("layered:ops=9:width=3:seed=" + std::to_string(seed)),
                          make_preset("2xP100"));
    ASSERT_LE(problem.group_count(), 10u);
    EXPECT_EQ(search(problem, 60'000).outcome.step_seconds, shortest_step(problem)) << seed;
  }
}

}  // namespace
}  // namespace berth::place
