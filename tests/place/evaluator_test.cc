#include "place/evaluator.h"

#include <gtest/gtest.h>

#include "place/repair/route_islands.h"
#include "place/tiny_problems.h"

namespace berth::place {
namespace {

using namespace fixtures;

Outcome outcome(double seconds, std::int64_t over_bytes = 0, bool routable = true) {
  Outcome made;
  made.step_seconds = seconds;
  made.over_bytes = over_bytes;
  made.feasible = over_bytes == 0;
  made.routable = routable;
  return made;
}

Plan all_on(const Problem& problem, std::size_t device) {
  return {std::vector<DeviceId>(problem.op_count(), DeviceId(device))};
}

TEST(Better, RanksRoutesThenMemoryThenTime) {
  EXPECT_TRUE(better(outcome(1), outcome(2)));
  EXPECT_FALSE(better(outcome(2), outcome(2)));
  EXPECT_TRUE(better(outcome(9), outcome(1, 10)));
  EXPECT_TRUE(better(outcome(9, 5), outcome(1, 10)));
  EXPECT_TRUE(better(outcome(1, 5), outcome(2, 5)));
  EXPECT_TRUE(better(outcome(9, 10), outcome(1, 0, false)));
  EXPECT_FALSE(better(outcome(1, 0, false), outcome(9, 10)));
}

TEST(Evaluator, KeepsTheFirstOfTheBest) {
  const Problem& problem = tiny_problem("chain");
  const Request request;
  Evaluator evaluator(problem, request);
  EXPECT_FALSE(evaluator.has_best());
  evaluator.consider(all_on(problem, 0));  // the CPU
  evaluator.consider(all_on(problem, 2));
  evaluator.consider(all_on(problem, 1));  // as good as the last
  EXPECT_EQ(evaluator.best_plan(), all_on(problem, 2));
  EXPECT_EQ(evaluator.evaluations(), 3);
  const Placed placed = evaluator.finish("a word");
  EXPECT_EQ(placed.plan, all_on(problem, 2));
  EXPECT_EQ(placed.remark, "a word");
  EXPECT_EQ(placed.evaluations, 3);
}

TEST(Evaluator, ConsidersTheStartFirst) {
  const Problem& problem = tiny_problem("chain");
  const Plan start = all_on(problem, 1);
  Request request;
  request.start = &start;
  Evaluator evaluator(problem, request);
  EXPECT_EQ(evaluator.best_plan(), start);
  evaluator.consider(all_on(problem, 0));
  EXPECT_EQ(evaluator.best_plan(), start);
}

TEST(Evaluator, IsExhaustedWithinTheGapOfAKnownBound) {
  const Problem& problem = tiny_problem("chain");
  Request request;
  Evaluator evaluator(problem, request);
  evaluator.know_bound(1e-9);
  EXPECT_FALSE(evaluator.exhausted());
  const double step = evaluator.consider(all_on(problem, 1)).step_seconds;
  EXPECT_FALSE(evaluator.exhausted());
  evaluator.know_bound(step / (1 + 1e-6));
  EXPECT_FALSE(evaluator.gap_reached());
  evaluator.know_bound(step / (1 + 1e-10));  // rounding, no gap
  EXPECT_TRUE(evaluator.exhausted());
  EXPECT_TRUE(evaluator.finish().gap_reached);

  request.gap = 0.1;
  Evaluator easy(problem, request);
  easy.consider(all_on(problem, 1));
  EXPECT_FALSE(easy.finish().gap_reached);  // of no bound
  easy.know_bound(step / 1.11);
  EXPECT_FALSE(easy.exhausted());
  easy.know_bound(step / 1.09);
  EXPECT_TRUE(easy.exhausted());
  EXPECT_FALSE(easy.is_enough(outcome(step / 2, 10)));  // does not fit
}

TEST(Evaluator, IsExhaustedByEvaluationsButNotBeforeTheFirst) {
  const Problem& problem = tiny_problem("chain");
  Request request;
  request.budget.evaluations = 2;
  Evaluator evaluator(problem, request);
  EXPECT_FALSE(evaluator.exhausted());
  evaluator.consider(all_on(problem, 0));
  EXPECT_FALSE(evaluator.exhausted());
  evaluator.consider(all_on(problem, 0));
  EXPECT_TRUE(evaluator.exhausted());
  Request no_time;
  no_time.budget.seconds = 1e-12;
  Evaluator late(problem, no_time);
  EXPECT_FALSE(late.exhausted());
  late.consider(all_on(problem, 0));
  EXPECT_TRUE(late.exhausted());
}

TEST(Evaluator, ReportsProgressNowAndThen) {
  const Problem& problem = tiny_problem("chain");
  int reports = 0;
  SearchProgress last;
  Request request;
  request.budget.evaluations = 1000;
  request.progress = [&](const SearchProgress& progress) {
    ++reports;
    last = progress;
  };
  Evaluator evaluator(problem, request);
  for (int i = 0; i < 100; ++i) evaluator.consider(all_on(problem, 1));
  EXPECT_GE(reports, 1);
  EXPECT_LT(reports, 100);  // a hundred of these take far less than five seconds
  EXPECT_TRUE(last.best_feasible);
  EXPECT_DOUBLE_EQ(last.best_step_seconds, 8e-3);
  EXPECT_GE(last.fraction_done, 1.0 / 1000);
}

TEST(MemoryLimits, ScaleWhatIsUsableAndLeaveUnlimitedAlone) {
  const Graph graph = tiny_graph("one", {{.name = "a"}});
  std::vector<Device> devices(2);
  devices[0].name = "gpu:0";
  devices[0].kind = "gpu";
  devices[0].memory_bytes = 1000;
  devices[0].reserved_bytes = 200;
  devices[1] = devices[0];
  devices[1].name = "gpu:1";
  devices[1].memory_bytes = kUnlimitedBytes;
  const Problem problem(graph, Cluster("two", devices, {}, {}));
  EXPECT_EQ(memory_limits(problem, 1.0), (std::vector<std::int64_t>{800, kUnlimitedBytes}));
  EXPECT_EQ(memory_limits(problem, 0.5), (std::vector<std::int64_t>{400, kUnlimitedBytes}));
}

TEST(ConstructWithinMemory, TightensUntilAPlanFits) {
  // Nine ops of 100 kB on three GPUs of 305 kB: a construct that overfills by one op per device.
  const Problem& problem = tiny_problem("tight memory");
  const Request request;
  Evaluator evaluator(problem, request);
  std::vector<double> limits_seen;
  construct_within_memory(problem, evaluator, [&](std::span<const std::int64_t> limits) {
    limits_seen.push_back(static_cast<double>(limits[0]) / 305'000);
    Plan plan = all_on(problem, 2);
    const auto each = static_cast<std::size_t>(limits[0] / 100'000) + 1;
    for (std::size_t op = 0; op < 9; ++op) {
      plan.placement[op] = DeviceId(std::min<std::size_t>(2, op / each));
    }
    return plan;
  });
  // 100% and 99% hold three and a bit; 95% still says two, and 2 + 1 fit.
  ASSERT_EQ(limits_seen.size(), 2u);
  EXPECT_DOUBLE_EQ(limits_seen[0], 1.0);
  EXPECT_NEAR(limits_seen[1], 0.95, 1e-5);
  EXPECT_TRUE(evaluator.best_outcome().feasible);
}

TEST(ConstructWithinMemory, StopsAtOnceWhereNothingCanFit) {
  const Problem& problem = tiny_problem("infeasible memory");
  const Request request;
  Evaluator evaluator(problem, request);
  int runs = 0;
  construct_within_memory(problem, evaluator, [&](std::span<const std::int64_t>) {
    ++runs;
    return all_on(problem, 0);
  });
  EXPECT_EQ(runs, 1);
}

TEST(ConstructWithinMemory, MendsMissingRoutes) {
  const Problem& problem = tiny_problem("star with pins");
  const Request request;
  Evaluator evaluator(problem, request);
  construct_within_memory(problem, evaluator, [&](std::span<const std::int64_t>) {
    Plan plan = all_on(problem, 1);
    plan.placement[2] = DeviceId(2);  // branch1 may only run on gpu:1
    return plan;
  });
  EXPECT_TRUE(evaluator.best_outcome().routable);
}

TEST(RouteIslands, AreAllDevicesOrTheLargestSetsThatMeet) {
  EXPECT_EQ(route_islands(tiny_cluster()).size(), 1u);
  const auto row = route_islands(tiny_problem("row").cluster());
  const std::vector<std::vector<DeviceId>> pairs = {
      {DeviceId(0), DeviceId(1)}, {DeviceId(1), DeviceId(2)}, {DeviceId(2), DeviceId(3)}};
  // Every device is in one at least; which neighbour joins a seed first is not said.
  std::vector<bool> covered(4, false);
  for (const auto& island : row) {
    EXPECT_NE(std::find(pairs.begin(), pairs.end(), island), pairs.end());
    for (const DeviceId device : island) covered[device.index()] = true;
  }
  EXPECT_EQ(covered, std::vector<bool>(4, true));
}

}  // namespace
}  // namespace berth::place
