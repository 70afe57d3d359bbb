#include "place/baselines/round_robin.h"

#include <gtest/gtest.h>

#include "place/method_runs.h"
#include "place/tiny_problems.h"

namespace berth::place {
namespace {

using namespace fixtures;

TEST(RoundRobin, DealsOverAcceleratorsInTurn) {
  const Problem& problem = tiny_problem("chain");
  EXPECT_EQ(devices_of(problem, run_method("round_robin", problem).plan),
            "gpu:0 gpu:1 gpu:0 gpu:1 gpu:0 gpu:1 gpu:0 gpu:1");
}

TEST(RoundRobin, UsesTheCpuWhenThereIsNothingElse) {
  const Problem& problem = tiny_problem("cpu only");
  EXPECT_EQ(devices_of(problem, run_method("round_robin", problem).plan),
            "cpu:0 cpu:0 cpu:0 cpu:0 cpu:0");
}

TEST(RoundRobin, DealsAGroupOnce) {
  const Problem& problem = tiny_problem("colocation");
  // fork 0; branch0, 2 and join 1; branch1 and 4 0; branch3 1; branch5 0.
  EXPECT_EQ(devices_of(problem, run_method("round_robin", problem).plan),
            "gpu:0 gpu:1 gpu:0 gpu:1 gpu:1 gpu:0 gpu:0 gpu:1");
}

TEST(RoundRobin, SkipsTheTurnOfADeviceThatIsNotAllowed) {
  const Problem& problem = tiny_problem("restricted ops");
  EXPECT_EQ(devices_of(problem, run_method("round_robin", problem).plan),
            "cpu:0 gpu:0 gpu:1 gpu:0 gpu:1 gpu:1 gpu:0 gpu:1");
}

TEST(RoundRobin, FreeOpsFollowTheirReader) {
  const Problem problem(tiny_graph("weights", {{.name = "w0", .gpu_seconds = 0, .cpu_seconds = 0},
                                               {.name = "w1", .gpu_seconds = 0, .cpu_seconds = 0},
                                               {.name = "a", .inputs = {"w0"}},
                                               {.name = "b", .inputs = {"a", "w1"}}}),
                        tiny_cluster());
  EXPECT_EQ(devices_of(problem, run_method("round_robin", problem).plan),
            "gpu:0 gpu:1 gpu:0 gpu:1");
}

TEST(RoundRobin, MovesGroupsWhenItDoesNotFit) {
  std::vector<TinyOp> ops;
  for (int i = 0; i < 6; ++i) {
    // Every second op is large, so one device gets all of those.
    ops.push_back({.name = "op" + std::to_string(i), .param_bytes = i % 2 == 0 ? 100'000 : 1'000});
  }
  const Problem problem(tiny_graph("uneven", ops),
                        tiny_cluster({.gpu_bytes = 210'000, .cpu_bytes = 0}));
  const Placed placed = run_method("round_robin", problem);
  EXPECT_TRUE(placed.outcome.feasible);
  EXPECT_EQ(placed.remark, "the plan assigned in turn is 88.9 KiB over, so groups were moved");
}

}  // namespace
}  // namespace berth::place
