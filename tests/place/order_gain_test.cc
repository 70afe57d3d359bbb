#include "place/order_gain.h"

#include <gtest/gtest.h>

#include "place/tiny_problems.h"
#include "sim/simulator.h"

namespace berth::place {
namespace {

using namespace fixtures;

// Two ops wait for gpu:0. First come is `late`, which nobody waits for; `lead` has a long op after
// it on gpu:1. The order of the file takes 3 + 1 + 5 ms, the other 1 + 5.
TEST(OrderGain, FindsTheOrderThatMatters) {
  const std::vector<TinyOp> ops = {
      {.name = "late", .gpu_seconds = 3e-3},
      {.name = "lead", .gpu_seconds = 1e-3, .output_bytes = 0},
      {.name = "long", .gpu_seconds = 5e-3, .inputs = {"lead"}},
  };
  const Problem problem(tiny_graph("order", ops), tiny_cluster({.gpus = 2, .cpu_bytes = 0}));
  const Plan plan{{DeviceId(0), DeviceId(0), DeviceId(1)}};
  const Timeline timeline = Simulator(problem).trace(plan);
  const double travel = problem.cluster().transfer_seconds(DeviceId(0), DeviceId(1), 0);
  EXPECT_DOUBLE_EQ(timeline.outcome.step_seconds, 9e-3 + travel);
  EXPECT_DOUBLE_EQ(step_with_order(problem, plan, timeline), 6e-3 + travel);
}

TEST(OrderGain, IsNeverLongerThanThePlan) {
  const Problem& problem = tiny_problem("diamond");
  const Plan plan{std::vector<DeviceId>(problem.op_count(), DeviceId(1))};
  const Timeline timeline = Simulator(problem).trace(plan);
  EXPECT_EQ(step_with_order(problem, plan, timeline), timeline.outcome.step_seconds);
}

}  // namespace
}  // namespace berth::place
