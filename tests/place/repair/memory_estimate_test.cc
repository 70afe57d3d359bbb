#include "place/repair/memory_estimate.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "place/repair/level_history.h"
#include "place/tiny_problems.h"
#include "sim/simulator.h"
#include "support/random_problem.h"

namespace berth::place {
namespace {

using namespace fixtures;

TEST(LevelHistory, FollowsAdditionsThatReachBack) {
  LevelHistory history(10);
  history.advance(1);
  history.add(100, 1);
  history.advance(2);
  history.remove(100, 2);
  history.advance(3);
  history.add(30, 3);
  EXPECT_EQ(history.level(), 30);
  EXPECT_EQ(history.peak(), 100);
  EXPECT_EQ(history.peak_between(2, 3), 30);
  history.add(80, 2);  // was there while the level was 0
  EXPECT_EQ(history.peak_between(2, 2), 80);
  EXPECT_EQ(history.peak(), 110);
  history.pass(500);
  EXPECT_EQ(history.peak(), 610);
  EXPECT_EQ(history.level(), 110);
}

TEST(LevelHistory, ErrsOnTheHighSideWhenCoarse) {
  LevelHistory coarse(10'000);  // ten positions a bucket
  coarse.advance(5);
  coarse.add(100, 5);
  coarse.remove(100, 6);  // the same bucket: counts until its end
  coarse.advance(9);
  EXPECT_EQ(coarse.peak_between(9, 9), 100);
  coarse.advance(10);
  EXPECT_EQ(coarse.peak_between(10, 10), 0);
}

// The estimated peak of every device after placing ops in the given order.
std::vector<std::int64_t> estimated_peaks(const Problem& problem, std::span<const OpId> order,
                                          const Plan& plan) {
  const FreeOps free_ops(problem);
  // A limit just too small for everything, so that the estimate is made at all.
  const std::int64_t limit = 1;
  const std::vector<std::int64_t> limits(problem.device_count(), limit);
  MemoryEstimate estimate(problem, limits, free_ops);
  for (const OpId op : order) estimate.place(op, plan.placement[op.index()]);
  std::vector<std::int64_t> peaks;
  for (std::size_t device = 0; device < problem.device_count(); ++device) {
    peaks.push_back(limit - estimate.room(DeviceId(device)));
  }
  return peaks;
}

TEST(MemoryEstimate, IsExactOnOneDevice) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const RandomProblemOptions shape{
        .max_ops = 60, .max_devices = 1, .slots = false, .zero_costs = false};
    Graph graph = random_graph(random, shape, false);
    const Problem problem(std::move(graph), random_cluster(random, shape, false));
    const Plan plan{std::vector<DeviceId>(problem.op_count(), DeviceId(0))};
    const Timeline timeline = Simulator(problem).trace(plan);
    std::vector<OpId> order;
    for (const Timeline::OpRun& run : timeline.ops) order.push_back(run.op);
    EXPECT_EQ(estimated_peaks(problem, order, plan), timeline.outcome.peak_bytes);
  }
}

// Ops one after the other with parameters, workspace, views and weights.
Graph random_chain(Random& random, std::size_t length) {
  GraphBuilder builder("chain");
  TensorRef last;
  for (std::size_t i = 0; i < length; ++i) {
    const OpId op = builder.add_op(fmt::format("op{}", i), "Op");
    builder.add_seconds(op, "gpu", static_cast<double>(random.between(1, 9)));
    builder.set_param_bytes(op, random.between(0, 50));
    builder.set_temp_bytes(op, random.between(0, 20));
    if (i > 0) builder.add_input(op, last);
    const bool view = i > 0 && random.chance(0.2);
    const TensorRef made =
        builder.add_output(op, {.bytes = random.between(1, 40), .alias = view ? 0 : Graph::kNone});
    if (random.chance(0.1)) builder.add_graph_output(made);
    last = made;
  }
  return std::move(builder).build();
}

TEST(MemoryEstimate, IsExactOnChainsOverSeveralDevices) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Problem problem(random_chain(random, 12), tiny_cluster({.gpus = 3, .cpu_bytes = 0}));
    Plan plan{std::vector<DeviceId>(problem.op_count())};
    for (DeviceId& device : plan.placement) device = DeviceId(random.below(3));
    const auto order = problem.graph().topological_order();
    EXPECT_EQ(estimated_peaks(problem, order, plan), Simulator(problem).evaluate(plan).peak_bytes);
  }
}

// It may err on the safe side only, and seldom: what the op's own placing frees in the past (a view
// whose last reader it is) is not foreseen.
TEST(MemoryEstimate, FitsForeseesWhatPlacingShows) {
  int asked = 0;
  int wrong = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Problem problem(random_chain(random, 10), tiny_cluster({.gpus = 2, .cpu_bytes = 0}));
    const FreeOps free_ops(problem);
    const std::vector<std::int64_t> limits(2, random.between(20, 400));
    MemoryEstimate estimate(problem, limits, free_ops);
    for (const OpId op : problem.graph().topological_order()) {
      const DeviceId device(random.below(2));
      const bool fits = estimate.fits(std::span(&op, 1), device);
      estimate.place(op, device);
      if (fits) {
        EXPECT_GE(estimate.room(device), 0);
      }
      ++asked;
      wrong += fits != (estimate.room(device) >= 0) ? 1 : 0;
    }
  }
  EXPECT_LT(wrong * 100, asked);
}

TEST(MemoryEstimate, ReservesParametersOfAWholeGroup) {
  std::vector<TinyOp> ops = {
      {.name = "a", .output_bytes = 0, .param_bytes = 60, .colocate = "g"},
      {.name = "b", .inputs = {"a"}, .output_bytes = 0, .param_bytes = 60, .colocate = "g"}};
  const Problem problem(tiny_graph("pair", ops), tiny_cluster({.gpus = 2, .cpu_bytes = 0}));
  const FreeOps free_ops(problem);
  const std::vector<std::int64_t> limits = {100, 120};
  MemoryEstimate estimate(problem, limits, free_ops);
  const OpId first(0);
  EXPECT_FALSE(estimate.fits(std::span(&first, 1), DeviceId(0)));
  EXPECT_TRUE(estimate.fits(std::span(&first, 1), DeviceId(1)));
  estimate.place(first, DeviceId(1));
  EXPECT_EQ(estimate.room(DeviceId(1)), 0);
}

TEST(FreeOps, ComeRightBeforeTheirFirstReader) {
  const std::vector<TinyOp> ops = {
      {.name = "weight2", .gpu_seconds = 0, .cpu_seconds = 0},
      {.name = "weight1", .gpu_seconds = 0, .cpu_seconds = 0},
      {.name = "view1", .gpu_seconds = 0, .cpu_seconds = 0, .inputs = {"weight1"}},
      {.name = "unread", .gpu_seconds = 0, .cpu_seconds = 0},
      {.name = "op1", .inputs = {"view1"}},
      {.name = "free after work", .gpu_seconds = 0, .cpu_seconds = 0, .inputs = {"op1"}},
      {.name = "op2", .inputs = {"free after work", "weight2"}}};
  const Problem problem(tiny_graph("weights", ops), tiny_cluster());
  FreeOps free_ops(problem);
  EXPECT_EQ(free_ops.count(), 4u);
  std::string order;
  for (const OpId op : free_ops.late_order()) {
    order += std::string(problem.graph().op_name(op)) + ", ";
  }
  EXPECT_EQ(order, "weight1, view1, op1, free after work, weight2, op2, unread, ");
}

}  // namespace
}  // namespace berth::place
