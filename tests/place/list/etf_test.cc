#include "place/list/etf.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "place/method_runs.h"
#include "place/run_placer.h"
#include "place/tiny_problems.h"

namespace berth::place {
namespace {

using namespace fixtures;

// On the tiny clusters a megabyte travels in a millisecond: 1 GB/s, no latency.
constexpr std::int64_t kMillisecond = 1'000'000;

TEST(Etf, SpreadsIndependentOpsEvenly) {
  std::vector<TinyOp> ops;
  for (int i = 0; i < 12; ++i) ops.push_back({.name = fmt::format("op{}", i)});
  const Problem problem(tiny_graph("parallel", ops), tiny_cluster({.gpus = 4}));
  const Placed placed = run_placer(etf_placer(), problem);
  EXPECT_DOUBLE_EQ(placed.outcome.step_seconds, 3e-3);
  EXPECT_EQ(busy_seconds(problem, placed.plan)[0], 0);  // the CPU would need 10 ms
  EXPECT_EQ(placed.evaluations, 1);
}

TEST(Etf, StaysWhereTheDataIs) {
  const Placed placed = run_placer(etf_placer(), tiny_problem("chain"));
  EXPECT_EQ(placed.outcome.transfers, 0);
  EXPECT_DOUBLE_EQ(placed.outcome.step_seconds, 8e-3);
}

// Two branches of 3 ms each behind a fork of 1 ms. With 1 ms to travel the second branch starts on
// the other device at 2 ms rather than at 4 ms; the join waits for its output until 6 ms.
TEST(Etf, WorkedByHand) {
  const std::vector<TinyOp> ops = {
      {.name = "fork", .output_bytes = kMillisecond},
      {.name = "left", .gpu_seconds = 3e-3, .inputs = {"fork"}, .output_bytes = kMillisecond},
      {.name = "right", .gpu_seconds = 3e-3, .inputs = {"fork"}, .output_bytes = kMillisecond},
      {.name = "join", .inputs = {"left", "right"}}};
  const Problem problem(tiny_graph("two branches", ops), tiny_cluster());
  const Placed placed = run_placer(etf_placer(), problem);
  EXPECT_EQ(devices_of(problem, placed.plan), "gpu:0 gpu:0 gpu:1 gpu:1");
  // The left output is sent at 4 ms and arrives as the right branch ends.
  EXPECT_DOUBLE_EQ(placed.outcome.step_seconds, 6e-3);
}

TEST(Etf, KnowsThatLinksAreShared) {
  // Eight ops of 1 ms, each reading its own 4 MB from a source that made them all: sending one
  // takes longer than running four ops where the data is.
  std::vector<TinyOp> ops;
  for (int i = 0; i < 8; ++i) {
    ops.push_back({.name = fmt::format("source{}", i),
                   .gpu_seconds = 1e-6,
                   .output_bytes = 4 * kMillisecond,
                   .devices = {"gpu:0"}});
  }
  for (int i = 0; i < 8; ++i) {
    ops.push_back({.name = fmt::format("reader{}", i),
                   .gpu_seconds = 1e-3,
                   .cpu_seconds = 1,
                   .inputs = {fmt::format("source{}", i)}});
  }
  const Problem problem(tiny_graph("readers", ops), tiny_cluster());
  const Placed placed = run_placer(etf_placer(), problem);
  // The first transfer ends at 4 ms and the next would end at 8 ms, when all is done anyway.
  EXPECT_EQ(placed.outcome.transfers, 1);
  EXPECT_LT(placed.outcome.step_seconds, 7.1e-3);
}

TEST(Etf, WeightsGoWhereTheyAreRead) {
  std::vector<TinyOp> ops;
  for (int i = 0; i < 4; ++i) {
    ops.push_back({.name = fmt::format("weight{}", i),
                   .gpu_seconds = 0,
                   .cpu_seconds = 0,
                   .output_bytes = kMillisecond});
  }
  for (int i = 0; i < 4; ++i) {
    ops.push_back({.name = fmt::format("op{}", i), .inputs = {fmt::format("weight{}", i)}});
  }
  const Problem problem(tiny_graph("weights", ops), tiny_cluster({.gpus = 4}));
  const Placed placed = run_placer(etf_placer(), problem);
  EXPECT_EQ(placed.outcome.transfers, 0);
  EXPECT_DOUBLE_EQ(placed.outcome.step_seconds, 1e-3);
}

// The first op of the group costs the same everywhere; the second does not.
TEST(Etf, DecidesForTheWholeGroup) {
  const std::vector<TinyOp> ops = {
      {.name = "first", .gpu_seconds = 1e-6, .cpu_seconds = 1e-6, .colocate = "g"},
      {.name = "second", .inputs = {"first"}, .colocate = "g"}};
  const Problem problem(tiny_graph("group", ops), tiny_cluster());
  EXPECT_EQ(devices_of(problem, run_placer(etf_placer(), problem).plan), "gpu:0 gpu:0");
}

TEST(Etf, FindsWhatFitsWhereTheEstimateIsExact) {
  for (const char* name : {"tight memory", "spills to cpu"}) {
    const Placed placed = run_placer(etf_placer(), tiny_problem(name));
    EXPECT_TRUE(placed.outcome.feasible) << name;
    EXPECT_EQ(placed.evaluations, 1) << name;
    EXPECT_EQ(placed.remark, "") << name;
  }
  const Placed misfit = run_placer(etf_placer(), tiny_problem("infeasible memory"));
  EXPECT_FALSE(misfit.outcome.feasible);
  EXPECT_NE(misfit.remark, "");
}

TEST(Etf, GivesPrioritiesOnlyWhenAsked) {
  const Problem problem(layered_graph(200, 3), tiny_cluster({.gpus = 3}));
  const Placed plain = run_placer(etf_placer(), problem);
  EXPECT_TRUE(plain.plan.priority.empty());
  const Placed scheduled = run_placer(etf_placer(), problem, with_schedule());
  EXPECT_EQ(scheduled.evaluations, 2);
  EXPECT_LE(scheduled.outcome.step_seconds, plain.outcome.step_seconds);
}

TEST(Etf, BeatsOneDeviceOnLayers) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Problem problem(layered_graph(300, seed), tiny_cluster({.gpus = 4}));
    EXPECT_LT(run_placer(etf_placer(), problem).outcome.step_seconds,
              0.6 * best_single_seconds(problem))
        << seed;
  }
}

TEST(Etf, UsesAllSlots) {
  std::vector<TinyOp> ops;
  for (int i = 0; i < 6; ++i) ops.push_back({.name = fmt::format("op{}", i)});
  const Problem problem(tiny_graph("parallel", ops),
                        tiny_cluster({.gpus = 1, .cpu_bytes = 0, .slots = 3}));
  EXPECT_DOUBLE_EQ(run_placer(etf_placer(), problem).outcome.step_seconds, 2e-3);
}

}  // namespace
}  // namespace berth::place
