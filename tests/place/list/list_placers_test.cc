// What the placers that fill and schedule have in common beyond the conformance suite.
#include <gtest/gtest.h>

#include "bounds/bounds.h"
#include "place/baselines/balanced_layers.h"
#include "place/baselines/topo.h"
#include "place/list/etf.h"
#include "place/list/heft.h"
#include "place/list/sct.h"
#include "place/method_runs.h"
#include "place/run_placer.h"
#include "place/sequence/contiguous.h"
#include "place/tiny_problems.h"

namespace berth::place {
namespace {

using namespace fixtures;

std::vector<Placer> list_placers() {
  return {topo_placer(), balanced_layers_placer(), contiguous_placer(), etf_placer(), sct_placer(),
          heft_placer()};
}

TEST(ListPlacers, CompleteThePlanWhereNoDeviceHasMemory) {
  std::vector<Device> devices(2);
  for (std::size_t i = 0; i < 2; ++i) {
    devices[i].name = "gpu:" + std::to_string(i);
    devices[i].kind = "gpu";
    devices[i].memory_bytes = 100;
    devices[i].reserved_bytes = 100;
  }
  const Cluster cluster("no memory", devices, {}, {{.from = 0, .to = 1, .bandwidth = 1e9}});
  const std::vector<TinyOp> ops = {
      {.name = "a"}, {.name = "b"}, {.name = "c", .inputs = {"a", "b"}}};
  const Problem problem(tiny_graph("three", ops), cluster);
  for (const Placer& placer : list_placers()) {
    const Placed placed = run_placer(placer, problem);
    EXPECT_FALSE(placed.outcome.feasible) << placer.name;
    EXPECT_NE(placed.remark, "") << placer.name;
    EXPECT_EQ(violations(problem, placed.plan), std::vector<std::string>()) << placer.name;
  }
}

// Activations that wait for the backward pass: what a device makes early it holds for long.
Graph training_graph(std::size_t layers, std::size_t branches, bool colocated) {
  GraphBuilder builder("training");
  const auto op = [&](const std::string& name, std::size_t layer, const std::string& group,
                      double seconds) {
    const OpId added = builder.add_op(name, "Op");
    builder.add_seconds(added, "cpu", 20 * seconds);
    builder.add_seconds(added, "gpu", seconds);
    builder.set_layer(added, "layer" + std::to_string(layer));
    if (colocated) builder.set_colocation(added, group);
    return added;
  };
  std::vector<std::vector<TensorRef>> forward(layers, std::vector<TensorRef>(branches));
  for (std::size_t layer = 0; layer < layers; ++layer) {
    for (std::size_t branch = 0; branch < branches; ++branch) {
      const std::string name = std::to_string(layer) + "_" + std::to_string(branch);
      const OpId added = op("f" + name, layer, name, 1e-3);
      builder.set_param_bytes(added, 300'000);
      if (layer > 0) builder.add_input(added, forward[layer - 1][branch]);
      forward[layer][branch] = builder.add_output(added, {.bytes = 100'000});
    }
  }
  std::vector<TensorRef> gradients(branches);
  for (std::size_t layer = layers; layer-- > 0;) {
    for (std::size_t branch = 0; branch < branches; ++branch) {
      const std::string name = std::to_string(layer) + "_" + std::to_string(branch);
      const OpId added = op("b" + name, layer, name, 2e-3);
      builder.add_input(added, forward[layer][branch]);
      if (layer + 1 < layers) builder.add_input(added, gradients[branch]);
      gradients[branch] = builder.add_output(added, {.bytes = 100'000});
    }
  }
  return std::move(builder).build();
}

// Twelve layers of three branches, 36 x 400 kB with the activations: 3.6 MB a device is all that is
// needed, but for gradients and copies in flight.
TEST(ListPlacers, FitTrainingInFifteenPerCentMore) {
  for (const bool colocated : {false, true}) {
    const Problem problem(training_graph(12, 3, colocated),
                          tiny_cluster({.gpus = 4, .gpu_bytes = 4'140'000, .cpu_bytes = 0}));
    for (const Placer& placer : list_placers()) {
      EXPECT_TRUE(run_placer(placer, problem).outcome.feasible) << placer.name << colocated;
    }
  }
}

TEST(ListPlacers, StayAboveTheLowerBound) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Problem problem(layered_graph(150, seed), tiny_cluster({.gpus = 3}));
    for (const bool schedule : {false, true}) {
      Request request;
      request.tasks.schedule = schedule;
      const double bound = bounds::lower_bounds(problem, request.tasks).best.seconds;
      for (const Placer& placer : list_placers()) {
        EXPECT_GE(run_placer(placer, problem, request).outcome.step_seconds, bound * (1 - 1e-9))
            << placer.name;
      }
    }
  }
}

}  // namespace
}  // namespace berth::place
