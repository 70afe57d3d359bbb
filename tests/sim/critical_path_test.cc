#include "sim/critical_path.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "sim/simulator.h"
#include "support/random_problem.h"
#include "support/small_case.h"

namespace berth {
namespace {

using Kind = CriticalStep::Kind;

TEST(CriticalPath, OfASmallCaseIsTheOneWorkedByHand) {
  const Problem problem = small_problem();
  const Plan plan = small_plan();
  const Timeline timeline = Simulator(problem).trace(plan);
  ASSERT_EQ(timeline.outcome.step_seconds, 12);
  const CriticalPath path = find_critical_path(problem, plan, timeline);
  ASSERT_EQ(path.steps.size(), 5u);
  const std::vector<Kind> kinds = {Kind::compute, Kind::transfer, Kind::compute, Kind::transfer,
                                   Kind::compute};
  const std::vector<double> ends = {2, 4, 7, 10, 12};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(path.steps[i].kind, kinds[i]) << i;
    EXPECT_EQ(path.steps[i].end_seconds, ends[i]) << i;
  }
  EXPECT_EQ(path.seconds(Kind::compute), 7);
  EXPECT_EQ(path.seconds(Kind::transfer), 5);
  EXPECT_EQ(path.seconds(Kind::device_wait), 0);
}

TEST(CriticalPath, NamesTheWaitForABusyDevice) {
  const Problem problem = small_problem();
  // Everything on one device: the last op waited for those before it in the queue.
  const Plan plan{.placement = std::vector<DeviceId>(5, DeviceId(0))};
  const Timeline timeline = Simulator(problem).trace(plan);
  const CriticalPath path = find_critical_path(problem, plan, timeline);
  EXPECT_EQ(timeline.outcome.step_seconds, 12);
  EXPECT_GT(path.seconds(Kind::device_wait), 0);
  EXPECT_EQ(path.seconds(Kind::transfer), 0);
}

// Whatever the plan, the pieces touch, begin at zero and end with the step.
TEST(CriticalPath, PiecesAddUpToTheStepForRandomProblems) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const RandomProblemOptions options;
    const bool integers = seed % 2 == 0;
    Graph graph = random_graph(random, options, integers);
    const Problem problem(std::move(graph), random_cluster(random, options, integers));
    const Plan plan = random_plan(random, problem, true, true);
    const Timeline timeline = Simulator(problem).trace(plan);
    if (!timeline.outcome.routable) continue;
    const CriticalPath path = find_critical_path(problem, plan, timeline);
    ASSERT_FALSE(path.steps.empty());
    EXPECT_EQ(path.steps.front().begin_seconds, 0) << "seed " << seed;
    EXPECT_EQ(path.steps.back().end_seconds, timeline.outcome.step_seconds) << "seed " << seed;
    double sum = 0;
    for (std::size_t i = 0; i < path.steps.size(); ++i) {
      if (i > 0) {
        ASSERT_EQ(path.steps[i].begin_seconds, path.steps[i - 1].end_seconds) << "seed " << seed;
      }
      EXPECT_GE(path.steps[i].seconds(), 0);
    }
    for (const Kind kind : kCriticalKinds) sum += path.seconds(kind);
    EXPECT_NEAR(sum, timeline.outcome.step_seconds, 1e-9 * (1 + sum)) << "seed " << seed;
  }
}

}  // namespace
}  // namespace berth
