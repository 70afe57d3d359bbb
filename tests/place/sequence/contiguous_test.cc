#include "place/sequence/contiguous.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "place/method_runs.h"
#include "place/run_placer.h"
#include "place/sequence/linear_plan.h"
#include "place/sequence/segment_plan.h"
#include "place/tiny_problems.h"

namespace berth::place {
namespace {

using namespace fixtures;

// The best of all placements, by trying each.
Outcome best_of_all(const Problem& problem) {
  Simulator simulator(problem);
  Plan plan{std::vector<DeviceId>(problem.op_count(), DeviceId(0))};
  Outcome best;
  best.routable = false;
  std::size_t total = 1;
  for (std::size_t op = 0; op < problem.op_count(); ++op) total *= problem.device_count();
  for (std::size_t code = 0; code < total; ++code) {
    std::size_t rest = code;
    bool allowed = true;
    for (std::size_t op = 0; op < problem.op_count(); ++op) {
      plan.placement[op] = DeviceId(rest % problem.device_count());
      rest /= problem.device_count();
      allowed = allowed && problem.allowed(OpId(op), plan.placement[op]);
    }
    if (!allowed) continue;
    const Outcome& outcome = simulator.evaluate(plan);
    if (better(outcome, best)) best = outcome;
  }
  return best;
}

struct ChainShape {
  std::size_t length = 6;
  bool memory = false;
  bool pins = false;
};

Problem random_chain(Random& random, const ChainShape& shape) {
  GraphBuilder builder("chain");
  TensorRef last;
  std::int64_t params = 0;
  for (std::size_t i = 0; i < shape.length; ++i) {
    const OpId op = builder.add_op(fmt::format("op{}", i), "Op");
    for (const char* device : {"d0", "d1", "d2"}) {
      builder.add_seconds(op, device, random.uniform());
    }
    const std::int64_t bytes = random.between(10, 100);
    builder.set_param_bytes(op, bytes);
    builder.set_temp_bytes(op, random.between(0, 10));
    params += bytes;
    if (shape.pins && random.chance(0.3)) {
      builder.set_devices(op, {fmt::format("d{}", random.below(3)), "d1"});
    }
    if (i > 0) builder.add_input(op, last);
    last = builder.add_output(op, {.bytes = random.between(1, 40)});
    if (random.chance(0.1)) builder.add_graph_output(last);
  }
  std::vector<Device> devices(3);
  std::vector<Link> links;
  for (std::uint32_t i = 0; i < 3; ++i) {
    devices[i].name = fmt::format("d{}", i);
    devices[i].kind = "gpu";
    if (shape.memory) devices[i].memory_bytes = params / 3 + random.between(40, 150);
    links.push_back({.from = i, .to = 3, .bandwidth = 100, .latency_seconds = 0.05});
  }
  return Problem(std::move(builder).build(), Cluster("three", devices, {"switch"}, links));
}

TEST(Contiguous, IsOptimalOnChains) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Problem problem = random_chain(random, {.length = 1 + seed % 7, .pins = seed % 2 == 0});
    const Placed placed = run_placer(contiguous_placer(), problem);
    EXPECT_DOUBLE_EQ(placed.outcome.step_seconds, best_of_all(problem).step_seconds);
    EXPECT_EQ(placed.evaluations, 1);
  }
}

TEST(Contiguous, IsOptimalOnChainsInTightMemory) {
  int feasible = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Problem problem = random_chain(random, {.length = 7, .memory = true});
    const Outcome best = best_of_all(problem);
    const Placed placed = run_placer(contiguous_placer(), problem);
    EXPECT_EQ(placed.outcome.feasible, best.feasible);
    if (!best.feasible) continue;
    ++feasible;
    EXPECT_DOUBLE_EQ(placed.outcome.step_seconds, best.step_seconds);
  }
  EXPECT_GT(feasible, 20);
}

// Also before there is a plan: the search for the best one asks by itself.
TEST(Contiguous, AStopEndsTheSearchForTheBestOfAChain) {
  StopSource source;
  source.request();
  Request request;
  request.stop = source.token();
  int interrupted = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Problem problem = random_chain(random, {.length = 7, .memory = true});
    if (run_placer(contiguous_placer(), problem).evaluations > 1) continue;  // not found that way
    const Placed placed = run_placer(contiguous_placer(), problem, request);
    EXPECT_TRUE(violations(problem, placed.plan).empty());
    if (placed.interrupted) ++interrupted;
  }
  EXPECT_GT(interrupted, 0);
}

TEST(Contiguous, ReturnsToADeviceWhenThatPays) {
  const std::vector<TinyOp> ops = {
      {.name = "a"},
      {.name = "b", .gpu_seconds = 1e-2, .cpu_seconds = 1e-3, .inputs = {"a"}},
      {.name = "c", .inputs = {"b"}}};
  const Problem problem(tiny_graph("there and back", ops), tiny_cluster());
  EXPECT_EQ(devices_of(problem, run_placer(contiguous_placer(), problem).plan),
            "gpu:0 cpu:0 gpu:0");
}

TEST(AsChain, TakesWeightsAlongAndRefusesWhatIsNoChain) {
  const std::vector<TinyOp> weighted = {{.name = "w0", .gpu_seconds = 0, .cpu_seconds = 0},
                                        {.name = "w1", .gpu_seconds = 0, .cpu_seconds = 0},
                                        {.name = "op0", .inputs = {"w0"}},
                                        {.name = "op1", .inputs = {"op0", "w1"}}};
  const auto chain = as_linear_graph(Problem(tiny_graph("weights", weighted), tiny_cluster()));
  ASSERT_TRUE(chain.has_value());
  ASSERT_EQ(chain->size(), 2u);
  EXPECT_EQ((*chain)[1].free_ops, std::vector<OpId>{OpId(1)});
  EXPECT_TRUE(as_linear_graph(tiny_problem("chain")).has_value());
  for (const char* name : {"diamond", "two components", "pins", "empty", "layered"}) {
    EXPECT_FALSE(as_linear_graph(tiny_problem(name)).has_value()) << name;
  }
}

// Eight ops of 1 ms in two independent chains: the bottleneck of two segments is 4 ms.
TEST(Contiguous, GivesIndependentPartsTheirOwnDevice) {
  const Placed placed = run_placer(contiguous_placer(), tiny_problem("two components"));
  EXPECT_DOUBLE_EQ(placed.outcome.step_seconds, 4e-3);
  EXPECT_EQ(placed.outcome.transfers, 0);
}

TEST(PlanSegments, CutsWhereLittleCrosses) {
  // Work is even; the tensor between op1 and op2 is large.
  std::vector<TinyOp> ops;
  for (int i = 0; i < 6; ++i) {
    TinyOp op{.name = fmt::format("op{}", i), .output_bytes = i == 2 ? 10 : 1'000'000};
    if (i > 0) op.inputs = {fmt::format("op{}", i - 1)};
    ops.push_back(op);
  }
  const Problem problem(tiny_graph("chain", ops), tiny_cluster({.gpus = 2, .cpu_bytes = 0}));
  const Layers layers = groups_as_layers(problem);
  const auto limits = memory_limits(problem, 1.0);
  const auto plans = plan_segments(problem, layers, SegmentObjective::bottleneck, limits);
  ASSERT_EQ(plans.size(), 2u);
  EXPECT_EQ(plans[0], LayerDevices(6, DeviceId(0)));
  const DeviceId first(0);
  const DeviceId second(1);
  EXPECT_EQ(plans[1], (LayerDevices{first, first, first, second, second, second}));
  const auto latency = plan_segments(problem, layers, SegmentObjective::latency, limits);
  ASSERT_EQ(latency.size(), 1u);
  EXPECT_EQ(latency[0], LayerDevices(6, DeviceId(0)));
}

TEST(PlanSegments, ChoosesAmongUnequalDevices) {
  // One segment must go to the CPU for lack of memory: the one that loses least by it.
  std::vector<TinyOp> ops;
  for (int i = 0; i < 4; ++i) {
    TinyOp op{.name = fmt::format("op{}", i),
              .cpu_seconds = i == 3 ? 2e-3 : 1e-1,
              .output_bytes = 10,
              .param_bytes = 100};
    if (i > 0) op.inputs = {fmt::format("op{}", i - 1)};
    ops.push_back(op);
  }
  const Problem problem(tiny_graph("chain", ops), tiny_cluster({.gpus = 1, .gpu_bytes = 350}));
  const auto plans = plan_segments(problem, groups_as_layers(problem), SegmentObjective::latency,
                                   memory_limits(problem, 1.0));
  ASSERT_EQ(plans.size(), 1u);
  EXPECT_EQ(plans[0], (LayerDevices{DeviceId(1), DeviceId(1), DeviceId(1), DeviceId(0)}));
}

// So many kinds of device that a table of what is used of each would fill any memory.
TEST(Contiguous, TakesManyUnlikeDevicesForOneAnother) {
  constexpr std::uint32_t kDevices = 100;
  GraphBuilder builder("wide");
  std::vector<Device> devices(kDevices);
  std::vector<Link> links;
  for (std::uint32_t i = 0; i < kDevices; ++i) {
    devices[i].name = fmt::format("d{}", i);
    devices[i].kind = "gpu";
    devices[i].memory_bytes = 1'000'000 + i;
    devices[i].flops = {{DType::unknown, 1e9 * (1 + 0.1 * i)}};
    links.push_back({.from = i, .to = kDevices, .bandwidth = 1e9 + i, .latency_seconds = 1e-6});
  }
  for (int i = 0; i < 40; ++i) {  // two chains
    const OpId op = builder.add_op(fmt::format("op{}", i), "MatMul");
    builder.set_flops(op, 1e7);
    if (i > 1) builder.add_input(op, TensorRef{OpId(static_cast<std::size_t>(i - 2)), 0});
    builder.add_output(op, {.bytes = 100});
  }
  const Problem problem(std::move(builder).build(), Cluster("unlike", devices, {"switch"}, links));
  const auto plans = plan_segments(problem, groups_as_layers(problem), SegmentObjective::bottleneck,
                                   memory_limits(problem, 1.0));
  EXPECT_GT(plans.size(), 4u);
  const Placed placed = run_placer(contiguous_placer(), problem);
  EXPECT_TRUE(placed.outcome.feasible);
  EXPECT_LT(placed.outcome.step_seconds, best_single_seconds(problem));
  // A table that has to be small is made with fewer kinds, and gives a plan all the same.
  EXPECT_FALSE(plan_segments(problem, groups_as_layers(problem), SegmentObjective::latency,
                             memory_limits(problem, 1.0), 1e4)
                   .empty());
}

TEST(Contiguous, NeverLosesToOneDevice) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Problem problem(layered_graph(1500, seed), tiny_cluster({.gpus = 4}));
    EXPECT_LE(run_placer(contiguous_placer(), problem).outcome.step_seconds,
              best_single_seconds(problem))
        << seed;
  }
}

TEST(Contiguous, FindsWhatFits) {
  for (const char* name : {"tight memory", "spills to cpu"}) {
    EXPECT_TRUE(run_placer(contiguous_placer(), tiny_problem(name)).outcome.feasible) << name;
  }
}

}  // namespace
}  // namespace berth::place
