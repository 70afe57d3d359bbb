#include "place/baselines/topo.h"

#include <gtest/gtest.h>

#include "place/method_runs.h"
#include "place/run_placer.h"
#include "place/tiny_problems.h"

namespace berth::place {
namespace {

using namespace fixtures;

std::vector<TinyOp> chain_of(std::vector<std::int64_t> param_bytes) {
  std::vector<TinyOp> ops;
  for (std::size_t i = 0; i < param_bytes.size(); ++i) {
    TinyOp op{.name = "op" + std::to_string(i), .output_bytes = 0, .param_bytes = param_bytes[i]};
    if (i > 0) op.inputs = {"op" + std::to_string(i - 1)};
    ops.push_back(op);
  }
  return ops;
}

// Six ops of 10 bytes on three GPUs: a share is 60 / 3 + 10 = 30.
TEST(Topo, FillsEachDeviceUpToItsShare) {
  const Problem problem(tiny_graph("chain", chain_of({10, 10, 10, 10, 10, 10})),
                        tiny_cluster({.gpus = 3}));
  EXPECT_EQ(devices_of(problem, run_placer(topo_placer(), problem).plan),
            "gpu:0 gpu:0 gpu:0 gpu:1 gpu:1 gpu:1");
}

TEST(Topo, StopsEarlierWhereMemoryEndsAndTakesTheCpuLast) {
  const Problem problem(tiny_graph("chain", chain_of({10, 10, 10, 10, 10, 10})),
                        tiny_cluster({.gpus = 2, .gpu_bytes = 20}));
  const Placed placed = run_placer(topo_placer(), problem);
  EXPECT_EQ(devices_of(problem, placed.plan), "gpu:0 gpu:0 gpu:1 gpu:1 cpu:0 cpu:0");
  EXPECT_TRUE(placed.outcome.feasible);
  EXPECT_EQ(placed.evaluations, 1);
}

TEST(Topo, PinnedOpsDoNotMoveTheOthersOn) {
  std::vector<TinyOp> ops = chain_of({10, 10, 10, 10});
  ops[1].devices = {"gpu:1"};
  const Problem problem(tiny_graph("chain", ops), tiny_cluster({.gpus = 2}));
  EXPECT_EQ(devices_of(problem, run_placer(topo_placer(), problem).plan),
            "gpu:0 gpu:1 gpu:0 gpu:0");
}

TEST(Topo, CountsAGroupWithItsFirstOp) {
  std::vector<TinyOp> ops = chain_of({10, 10, 10, 10});
  ops[0].colocate = ops[3].colocate = "ends";
  // Need of the group 20: a share is 40 / 2 + 20 = 40, of memory only 30 are there.
  const Problem problem(tiny_graph("chain", ops), tiny_cluster({.gpus = 2, .gpu_bytes = 30}));
  const Placed placed = run_placer(topo_placer(), problem);
  EXPECT_EQ(devices_of(problem, placed.plan), "gpu:0 gpu:0 gpu:1 gpu:0");
  EXPECT_TRUE(placed.outcome.feasible);
}

TEST(Topo, WeightsStayWithTheirReader) {
  std::vector<TinyOp> ops;
  for (const char* name : {"w0", "w1", "w2", "w3"}) {
    ops.push_back(
        {.name = name, .gpu_seconds = 0, .cpu_seconds = 0, .output_bytes = 0, .param_bytes = 100});
  }
  for (int i = 0; i < 4; ++i) {
    ops.push_back({.name = "op" + std::to_string(i),
                   .inputs = {"w" + std::to_string(i)},
                   .output_bytes = 10});
  }
  const Problem problem(tiny_graph("weights", ops), tiny_cluster({.gpus = 2, .gpu_bytes = 220}));
  const Placed placed = run_placer(topo_placer(), problem);
  EXPECT_EQ(placed.outcome.transfers, 0);
  EXPECT_TRUE(placed.outcome.feasible);
}

TEST(Topo, FindsWhatFits) {
  for (const char* name : {"tight memory", "spills to cpu"}) {
    EXPECT_TRUE(run_placer(topo_placer(), tiny_problem(name)).outcome.feasible) << name;
  }
}

}  // namespace
}  // namespace berth::place
