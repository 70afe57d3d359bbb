#include "place/baselines/balanced_layers.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "place/method_runs.h"
#include "place/run_placer.h"
#include "place/sequence/layers.h"
#include "place/tiny_problems.h"

namespace berth::place {
namespace {

using namespace fixtures;

// A chain of layers of two ops each, the first of which holds the weights.
Graph layered_chain(const std::vector<std::int64_t>& weights, bool labels) {
  GraphBuilder builder("layers");
  TensorRef last;
  for (std::size_t layer = 0; layer < weights.size(); ++layer) {
    for (const char* part : {"matmul", "relu"}) {
      const OpId op = builder.add_op(fmt::format("{}{}", part, layer), "Op");
      builder.add_seconds(op, "gpu", 1e-3);
      builder.add_seconds(op, "cpu", 1e-2);
      if (part[0] == 'm') builder.set_param_bytes(op, weights[layer]);
      if (labels) builder.set_layer(op, fmt::format("layer{}", layer));
      if (builder.op_count() > 1) builder.add_input(op, last);
      last = builder.add_output(op, {.bytes = 1});
    }
  }
  return std::move(builder).build();
}

TEST(Layers, AreLabelsInOrderOrGroups) {
  const Problem labelled(layered_chain({1, 1, 1}, true), tiny_cluster());
  EXPECT_EQ(find_layers(labelled).count, 3u);
  EXPECT_EQ(find_layers(labelled).of_group, (std::vector<std::uint32_t>{0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(groups_as_layers(labelled).count, 6u);
  const Problem plain(layered_chain({1, 1, 1}, false), tiny_cluster());
  EXPECT_EQ(find_layers(plain).count, 6u);
}

TEST(Layers, UnlabelledOpsBelongToTheLayerBefore) {
  GraphBuilder builder("partly");
  TensorRef last;
  for (const char* layer : {"a", "", "b", "", "a"}) {
    const OpId op = builder.add_op(fmt::format("op{}", builder.op_count()), "Op");
    builder.add_seconds(op, "gpu", 1);
    builder.add_seconds(op, "cpu", 1);
    if (layer[0] != '\0') builder.set_layer(op, layer);
    if (builder.op_count() > 1) builder.add_input(op, last);
    last = builder.add_output(op, {.bytes = 1});
  }
  const Problem problem(std::move(builder).build(), tiny_cluster());
  EXPECT_EQ(find_layers(problem).of_group, (std::vector<std::uint32_t>{0, 0, 1, 1, 0}));
}

// 10 + 20 | 30 | 25 + 5: the largest block cannot be below 30.
TEST(BalancedLayers, MakesTheLargestBlockSmall) {
  const Problem problem(layered_chain({10, 20, 30, 25, 5}, true), tiny_cluster({.gpus = 3}));
  EXPECT_EQ(devices_of(problem, run_placer(balanced_layers_placer(), problem).plan),
            "gpu:0 gpu:0 gpu:0 gpu:0 gpu:1 gpu:1 gpu:2 gpu:2 gpu:2 gpu:2");
}

TEST(BalancedLayers, SpillsToTheCpuLast) {
  const Problem problem(layered_chain({100, 100, 100, 100}, true),
                        tiny_cluster({.gpus = 2, .gpu_bytes = 150}));
  const Placed placed = run_placer(balanced_layers_placer(), problem);
  EXPECT_EQ(devices_of(problem, placed.plan), "gpu:0 gpu:0 gpu:1 gpu:1 cpu:0 cpu:0 cpu:0 cpu:0");
  EXPECT_TRUE(placed.outcome.feasible);
}

TEST(BalancedLayers, BalancesOutputsWhereThereAreNoWeights) {
  const Problem problem(layered_chain({0, 0, 0, 0}, true), tiny_cluster({.gpus = 2}));
  EXPECT_EQ(devices_of(problem, run_placer(balanced_layers_placer(), problem).plan),
            "gpu:0 gpu:0 gpu:0 gpu:0 gpu:1 gpu:1 gpu:1 gpu:1");
}

TEST(BalancedLayers, UsesTheCpuWhereThereIsNothingElse) {
  const Problem problem(layered_chain({1, 1}, true), tiny_cluster({.gpus = 0}));
  EXPECT_EQ(devices_of(problem, run_placer(balanced_layers_placer(), problem).plan),
            "cpu:0 cpu:0 cpu:0 cpu:0");
}

TEST(BalancedLayers, HonoursPins) {
  Constraints pins;
  pins.pins = {{"relu0", {"cpu"}}};
  const Problem problem(layered_chain({10, 10}, true), tiny_cluster({.gpus = 2}), pins);
  EXPECT_EQ(devices_of(problem, run_placer(balanced_layers_placer(), problem).plan),
            "gpu:0 cpu:0 gpu:1 gpu:1");
}

TEST(BalancedLayers, FindsWhatFits) {
  for (const char* name : {"tight memory", "spills to cpu"}) {
    EXPECT_TRUE(run_placer(balanced_layers_placer(), tiny_problem(name)).outcome.feasible) << name;
  }
}

}  // namespace
}  // namespace berth::place
