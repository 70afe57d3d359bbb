// Bounds worked out by hand, what they say to people, and the odd ends of the input.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "base/error.h"
#include "bounds/bounds.h"
#include "graph/graph_builder.h"
#include "sim/simulator.h"

namespace berth::bounds {
namespace {

struct OpSpec {
  std::string name;
  double cpu = 0, gpu = 0;
  std::vector<std::string> inputs = {};
  std::int64_t params = 0;
  std::string colocate = {};
  std::int64_t output = 100;
};

Graph make_graph(const std::vector<OpSpec>& specs) {
  GraphBuilder builder("example");
  for (const OpSpec& spec : specs) {
    const OpId op = builder.add_op(spec.name, "MatMul");
    builder.add_seconds(op, "cpu", spec.cpu);
    builder.add_seconds(op, "gpu", spec.gpu);
    builder.set_param_bytes(op, spec.params);
    if (!spec.colocate.empty()) builder.set_colocation(op, spec.colocate);
    for (const std::string& input : spec.inputs) builder.add_input(op, {*builder.find_op(input)});
    builder.add_output(op, {.bytes = spec.output});
  }
  return std::move(builder).build();
}

struct ClusterSpec {
  int gpus = 1;
  std::int64_t gpu_memory = kUnlimitedBytes;
  std::int64_t cpu_memory = kUnlimitedBytes;
  bool linked = true;
};

// A cpu and some gpus; a tensor of 100 bytes takes 1 + 2 s from device to device.
Cluster make_cluster(const ClusterSpec& spec) {
  std::vector<Device> devices(1);
  devices[0].name = "cpu:0";
  devices[0].kind = "cpu";
  devices[0].memory_bytes = spec.cpu_memory;
  std::vector<Link> links;
  for (int i = 0; i < spec.gpus; ++i) {
    Device gpu;
    gpu.name = "gpu:" + std::to_string(i);
    gpu.kind = "gpu";
    gpu.memory_bytes = spec.gpu_memory;
    devices.push_back(gpu);
  }
  const auto hub = static_cast<std::uint32_t>(devices.size());
  for (std::uint32_t d = 0; spec.linked && d < hub; ++d) {
    links.push_back({.from = d, .to = hub, .bandwidth = 50, .latency_seconds = 0.5});
  }
  return Cluster("example", devices, {"hub"}, links);
}

Constraints pins(std::vector<Constraints::Pin> pins) {
  Constraints constraints;
  constraints.pins = std::move(pins);
  return constraints;
}

Problem make_problem(const std::vector<OpSpec>& ops, const ClusterSpec& cluster,
                     const Constraints& constraints = {}) {
  return Problem(make_graph(ops), make_cluster(cluster), constraints);
}

Bound named(const Bounds& bounds, const std::string& name) {
  for (const Bound& bound : bounds.all) {
    if (bound.name == name) return bound;
  }
  ADD_FAILURE() << "there is no bound " << name;
  return {};
}

TEST(Tasks, AreReadAndWritten) {
  EXPECT_EQ(format_tasks(parse_tasks("placement")), "placement");
  EXPECT_EQ(format_tasks(parse_tasks("place, fusion")), "placement,fusion");
  EXPECT_EQ(format_tasks(parse_tasks("place,fuse")), "placement,fusion");
  EXPECT_EQ(format_tasks(parse_tasks("fusion,schedule")), "placement,schedule,fusion");
  for (const char* wrong : {"", "placement,", "scheduel", "all"}) {
    try {
      parse_tasks(wrong);
      ADD_FAILURE() << wrong;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("placement, schedule and fusion"), std::string::npos)
          << error.what();
    }
  }
}

TEST(Bounds, OfAnEmptyGraphAreZero) {
  const Problem problem = make_problem({}, {});
  for (const Tasks tasks : {Tasks{}, Tasks{.schedule = true, .fusion = true}}) {
    const Bounds bounds = lower_bounds(problem, tasks);
    EXPECT_EQ(bounds.best.seconds, 0);
    EXPECT_EQ(bounds.best.explanation, "the graph has no ops");
  }
  EXPECT_EQ(prove_infeasible(problem).missing_bytes, 0);
}

TEST(PathBound, WeighsTransfersAgainstTheSlowerDevice) {
  // b is quicker on the gpu by 10 s, so moving there (3 s) pays; c by 2 s, so moving back does not.
  const std::vector<OpSpec> ops = {{"a", 1, 100}, {"b", 12, 2, {"a"}}, {"c", 3, 5, {"b"}}};
  const Bound path = named(lower_bounds(make_problem(ops, {})), "critical path");
  EXPECT_EQ(path.seconds, 1 + 3 + 2 + 5);
  EXPECT_EQ(path.explanation,
            "the path of 3 ops from \"a\" to \"c\" takes at least this long on the fastest "
            "devices");
}

TEST(PathBound, KeepsColocatedOpsTogether) {
  // Apart: 1 + 3 + 1. Together on one device: 1 + 9.
  std::vector<OpSpec> ops = {{"a", 1, 9}, {"b", 9, 1, {"a"}}};
  EXPECT_EQ(named(lower_bounds(make_problem(ops, {})), "critical path").seconds, 5);
  ops[0].colocate = ops[1].colocate = "pair";
  EXPECT_EQ(named(lower_bounds(make_problem(ops, {})), "critical path").seconds, 10);
}

TEST(PathBound, LeavesTransfersOutWhereNothingIsRoutable) {
  const Constraints apart = pins({{"a", {"cpu"}}, {"b", {"gpu"}}});
  const Problem problem = make_problem({{"a", 1, 9}, {"b", 9, 1, {"a"}}}, {.linked = false}, apart);
  const Bound path = named(lower_bounds(problem), "critical path");
  EXPECT_EQ(path.seconds, 2);
  EXPECT_NE(path.explanation.find("without any transfers"), std::string::npos);
}

TEST(PathBound, ClosesDevicesThatAreTooSmall) {
  // With its output the op needs 100 bytes beyond its parameters while it runs.
  const auto path = [](std::int64_t params, std::int64_t gpu_memory) {
    const Problem problem = make_problem({{"a", 5, 1, {}, params}}, {.gpu_memory = gpu_memory});
    return named(lower_bounds(problem), "critical path").seconds;
  };
  EXPECT_EQ(path(120, 220), 1);
  EXPECT_EQ(path(120, 219), 5);
  EXPECT_EQ(path(221, 220), 5);
}

TEST(GroupBound, AddsUpColocatedOpsFromTheirEarliestStart) {
  // Two branches behind a common op, colocated: 1 + min over devices of 4 + 5.
  const std::vector<OpSpec> ops = {
      {"root", 1, 1}, {"left", 4, 8, {"root"}, 0, "pair"}, {"right", 5, 8, {"root"}, 0, "pair"}};
  const Bounds bounds = lower_bounds(make_problem(ops, {}), {.schedule = true});
  EXPECT_NEAR(named(bounds, "group").seconds, 10, 1e-12);
  EXPECT_EQ(bounds.best.name, "group");
  EXPECT_EQ(bounds.best.explanation,
            "the 2 ops colocated as \"pair\" share one device and run between the paths before and "
            "after them");
}

TEST(GroupBound, HasTheChainsBehindItsOpsStillToGo) {
  // One of the two has 7 s to follow, so at best it goes first: 1 + 4 + max(7, 5).
  const std::vector<OpSpec> ops = {{"root", 1, 1, {}, 0, "all"},
                                   {"left", 4, 4, {"root"}, 0, "all"},
                                   {"right", 5, 5, {"root"}, 0, "all"},
                                   {"end", 7, 7, {"left"}}};
  EXPECT_NEAR(named(lower_bounds(make_problem(ops, {}), {.schedule = true}), "group").seconds, 12,
              1e-9);
}

TEST(QueueBound, AnOpWaitsForWhatWasReadyBeforeIt) {
  // Both gradients are ready when the loss has ended, "down" first by its index; "next" is behind
  // "side" in the queue unless it takes the loss of a transfer (3 s) to another device.
  std::vector<OpSpec> ops = {{"layer", 2, 2, {}, 0, "layer"},
                             {"loss", 1, 1, {"layer"}},
                             {"down", 2, 2, {"loss", "layer"}, 0, "layer"},
                             {"side", 2, 2, {"loss", "layer"}, 0, "layer"},
                             {"next", 1, 1, {"down"}}};
  const Bounds bounds = lower_bounds(make_problem(ops, {}));
  EXPECT_EQ(named(bounds, "critical path").seconds, 2 + 1 + 2 + 1);
  EXPECT_EQ(named(bounds, "queue").seconds, 2 + 1 + 2 + 2 + 1);
  ops[3].cpu = ops[3].gpu = 9;
  EXPECT_EQ(named(lower_bounds(make_problem(ops, {})), "queue").seconds,
            2 + 1 + 2 + 9);  // next is elsewhere, after the transfer; side ends last
  // With priorities nothing of the kind holds.
  for (const Bound& bound : lower_bounds(make_problem(ops, {}), {.schedule = true}).all) {
    EXPECT_NE(bound.name, "queue");
  }
}

TEST(QueueBound, NeedsWhatTheOpReadsToBeThereFirst) {
  // "side" reads something of its own as well, which may come late: nothing is known of the order.
  const std::vector<OpSpec> ops = {{"layer", 2, 2, {}, 0, "layer"},
                                   {"other", 1, 1},
                                   {"loss", 1, 1, {"layer"}},
                                   {"down", 2, 2, {"loss", "layer"}, 0, "layer"},
                                   {"side", 2, 2, {"loss", "other"}, 0, "layer"},
                                   {"next", 1, 1, {"down"}}};
  // But "down" is never later than "side", which so ends 7 s into the step; "next" need not wait.
  EXPECT_EQ(lower_bounds(make_problem(ops, {})).best.seconds, 2 + 1 + 2 + 2);
}

TEST(ForkBound, BranchesShareADeviceOrPayForTransfers) {
  // Two branches of 4 s: one after the other 8 s, side by side 4 s and a transfer there and back.
  std::vector<OpSpec> ops = {{"root", 1, 1},
                             {"left", 4, 4, {"root"}},
                             {"right", 4, 4, {"root"}},
                             {"join", 1, 1, {"left", "right"}}};
  EXPECT_EQ(lower_bounds(make_problem(ops, {})).best.name, "fork");
  // From root's device: right is away for 3 + 4 + 3. Join elsewhere with one branch: 3 + 4.
  EXPECT_NEAR(lower_bounds(make_problem(ops, {})).best.seconds, 1 + 7 + 1, 1e-9);
  for (OpSpec& op : ops) op.output = 1000;  // a transfer takes 21 s
  EXPECT_NEAR(lower_bounds(make_problem(ops, {})).best.seconds, 1 + 8 + 1, 1e-9);
}

TEST(FoldBound, TheWayBackIsOverTheDevicesOfTheWayOut) {
  // Behind the queue "next" waits 5 s for "side"; going elsewhere saves that for a transfer of 3 s,
  // but "first" and with it the way out is then elsewhere too: another 3 s.
  const std::vector<OpSpec> ops = {{"first", 1, 1, {}, 0, "first"},
                                   {"second", 1, 1, {"first"}, 0, "second"},
                                   {"down", 1, 1, {"second", "first"}, 0, "second"},
                                   {"side", 5, 5, {"second", "first"}, 0, "second"},
                                   {"next", 9, 9, {"down"}, 0, "first"}};
  const Bounds bounds = lower_bounds(make_problem(ops, {}));
  EXPECT_EQ(named(bounds, "queue").seconds, 1 + 1 + 1 + 3 + 9);
  EXPECT_NEAR(named(bounds, "fold").seconds, 1 + 1 + 1 + 5 + 9, 1e-9);
  EXPECT_EQ(bounds.best.name, "fold");
}

TEST(IntervalBound, CountsWhatMustBeDoneBetweenStartAndEnd) {
  // 2 s before and 3 s after six ops of 2 s on three devices.
  std::vector<OpSpec> ops = {{"begin", 2, 2, {}, 0, "", 0}};
  OpSpec end{"end", 3, 3};
  for (int i = 0; i < 6; ++i) {
    ops.push_back({"op" + std::to_string(i), 2, 2, {"begin"}, 0, "", 0});
    end.inputs.push_back(ops.back().name);
  }
  ops.push_back(end);
  const Bounds bounds = lower_bounds(make_problem(ops, {.gpus = 2}));
  EXPECT_NEAR(named(bounds, "interval").seconds, 2 + 4 + 3, 1e-9);
  EXPECT_EQ(named(bounds, "interval").explanation,
            "6 ops that cannot start in the first 2.00 s nor end in the last 3.00 s take all the "
            "time between, even when spread perfectly over the 3 devices");
}

TEST(WorkBound, SpreadsWorkByWhatDevicesAreGoodAt) {
  // Eight ops of 3 s on each of two gpus and 6 s on the cpu: rates 1/3 + 1/3 + 1/6 a second.
  std::vector<OpSpec> ops;
  for (int i = 0; i < 8; ++i) ops.push_back({"op" + std::to_string(i), 6, 3});
  const Bounds bounds = lower_bounds(make_problem(ops, {.gpus = 2}));
  EXPECT_NEAR(bounds.best.seconds, 8 / (5.0 / 6), 1e-9);
  EXPECT_EQ(bounds.best.explanation,
            "all the work takes at least this long even when spread perfectly over the 3 devices");
}

TEST(WorkBound, PaysTheSlowDeviceForWhatDoesNotFitTheFastOne) {
  // The gpu holds two ops' parameters of five; the others take 10 s each on the cpu.
  std::vector<OpSpec> ops;
  for (int i = 0; i < 5; ++i) {
    ops.push_back({"op" + std::to_string(i), 10, 1, {}, 1000, "", 0});
  }
  const Bounds bounds = lower_bounds(make_problem(ops, {.gpu_memory = 2000}));
  EXPECT_NEAR(bounds.best.seconds, 30, 1e-6);
  EXPECT_NE(bounds.best.explanation.find("not everything fits"), std::string::npos);
}

TEST(WorkBound, DoesNotCountWhatRoundingLoses) {
  // After the first op each further one is lost in rounding: the step takes 1 s to the last bit.
  std::vector<OpSpec> ops = {{"long", 1, 1}};
  for (int i = 0; i < 3000; ++i) {
    ops.push_back({"short" + std::to_string(i), 1e-16, 1e-16, {"long"}});
  }
  const Problem problem = make_problem(ops, {.gpus = 0});
  Simulator simulator(problem);
  const double step =
      simulator.evaluate({std::vector<DeviceId>(ops.size(), DeviceId(0))}).step_seconds;
  EXPECT_EQ(step, 1);
  const Bounds bounds = lower_bounds(problem);
  EXPECT_LE(bounds.best.seconds, step);
  EXPECT_GE(bounds.best.seconds, step * (1 - 1e-11));
}

TEST(Bounds, StayFiniteForEnormousTimes) {
  const Problem problem =
      make_problem({{"a", 0.8e308, 0.8e308}, {"b", 0.8e308, 0.8e308, {"a"}}}, {.gpus = 2});
  for (const Bound& bound : lower_bounds(problem).all) {
    EXPECT_TRUE(std::isfinite(bound.seconds)) << bound.name;
  }
}

TEST(Infeasibility, NamesTheGroupThatFitsNowhere) {
  const std::vector<OpSpec> ops = {
      {"small", 1, 1}, {"a", 1, 1, {}, 300, "weights", 0}, {"b", 1, 1, {}, 400, "weights", 0}};
  const Problem problem = make_problem(ops, {.gpu_memory = 600, .cpu_memory = 500});
  const Infeasibility infeasible = prove_infeasible(problem);
  EXPECT_EQ(infeasible.missing_bytes, 100);
  EXPECT_EQ(problem.graph().op_name(infeasible.blocking_op), "a");
  EXPECT_EQ(infeasible.explanation,
            "the group \"weights\" holds 700 B of parameters and kept outputs, but the largest "
            "device it may use, \"gpu:0\", has only 600 B");
  // Bounds then hold for every plan, as if memory were no limit.
  EXPECT_GT(lower_bounds(problem).best.seconds, 0);
}

TEST(Infeasibility, NamesTheOpThatDoesNotFitWithItsTensors) {
  const std::vector<OpSpec> ops = {{"a", 1, 1}, {"b", 1, 1, {"a"}, 150}};
  const Problem problem = make_problem(ops, {.gpu_memory = 300, .cpu_memory = 340});
  const Infeasibility infeasible = prove_infeasible(problem);
  EXPECT_EQ(infeasible.missing_bytes, 10);
  EXPECT_EQ(problem.graph().op_name(infeasible.blocking_op), "b");
  EXPECT_NE(infeasible.explanation.find("while it runs"), std::string::npos);
  // Fused, the tensor between the two takes no memory.
  EXPECT_EQ(prove_infeasible(problem, {.fusion = true}).missing_bytes, 0);
}

TEST(Infeasibility, ComparesTotalsAlongTheRules) {
  std::vector<OpSpec> ops;
  for (int i = 0; i < 6; ++i) {
    ops.push_back({"op" + std::to_string(i), 1, 1, {}, 100, "", 0});
  }
  const ClusterSpec cluster{.gpus = 2, .gpu_memory = 200, .cpu_memory = 150};
  const Infeasibility total = prove_infeasible(make_problem(ops, cluster));
  EXPECT_EQ(total.missing_bytes, 50);
  EXPECT_FALSE(total.blocking_op.valid());
  EXPECT_EQ(total.explanation,
            "all devices together have 550 B, but all ops together hold 600 B of parameters and "
            "kept outputs");

  // One device is not "all together".
  EXPECT_EQ(prove_infeasible(make_problem(ops, {.gpus = 0, .cpu_memory = 150})).explanation,
            "\"cpu:0\" has 150 B, but all ops together hold 600 B of parameters and kept outputs");

  const ClusterSpec ample{.gpus = 2, .gpu_memory = 200};
  EXPECT_EQ(prove_infeasible(make_problem(ops, ample)).missing_bytes, 0);
  const Constraints pinned = pins({{"op*", {"gpu"}}});
  const Infeasibility ruled = prove_infeasible(make_problem(ops, ample, pinned));
  EXPECT_EQ(ruled.missing_bytes, 200);
  EXPECT_EQ(ruled.explanation,
            "\"gpu:0\" and \"gpu:1\" have 400 B, but all ops together hold 600 B of parameters and "
            "kept outputs");
  // Neither set of pinned ops is too much for its devices, but all that need gpu:0 or gpu:1 are.
  const Constraints overlapping =
      pins({{"op[012]", {"gpu:0", "gpu:1"}}, {"op3", {"gpu:0"}}, {"op4", {"gpu:1"}}});
  EXPECT_EQ(prove_infeasible(make_problem(ops, ample, overlapping)).missing_bytes, 100);
}

}  // namespace
}  // namespace berth::bounds
