// Graphs, clusters, problems and plans go in and come out as they were.
#include <algorithm>
#include <cmath>

#include "api/small_problem.h"

namespace api_tests {
namespace {

TEST(ApiGraph, OpsComeBackAsTheyWereGiven) {
  const berth::Op full{.name = "full",
                       .type = "Conv",
                       .inputs = {"first:0", "first:1"},
                       .outputs = {{.shape = {{2, 3}}, .dtype = "f32"},
                                   {.bytes = 7, .resident = true},
                                   {.bytes = 8, .alias = 1}},
                       .flops = 5,
                       .param_bytes = 6,
                       .temp_bytes = 9,
                       .seconds = {{"gpu", 0.5}, {"cpu", 2.0}},
                       .colocate = "together",
                       .layer = "one",
                       .devices = {"gpu"},
                       .after = {"last"}};
  const berth::Graph graph(
      "all fields",
      {{.name = "first", .type = "Input", .outputs = {{.bytes = 1}, {.bytes = 8}}},
       full,
       {.name = "last", .type = "NoOp"}},
      {"full"});
  const berth::Op back = graph.op(1);
  EXPECT_EQ(back.inputs, full.inputs);
  EXPECT_EQ(back.outputs[0].bytes, 24);
  EXPECT_EQ(back.outputs[0].shape, full.outputs[0].shape);
  EXPECT_EQ(back.outputs[0].dtype, "f32");
  EXPECT_TRUE(back.outputs[1].resident);
  EXPECT_EQ(back.outputs[2].alias, 1u);
  EXPECT_EQ(back.flops, 5);
  EXPECT_EQ(back.param_bytes, 6);
  EXPECT_EQ(back.temp_bytes, 9);
  EXPECT_EQ(back.seconds, full.seconds);
  EXPECT_EQ(back.colocate, "together");
  EXPECT_EQ(back.layer, "one");
  EXPECT_EQ(back.devices, full.devices);
  EXPECT_EQ(back.after, full.after);
  EXPECT_EQ(graph.outputs(), std::vector<std::string>{"full:0"});
  EXPECT_EQ(graph.predecessors(1), (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(graph.topological_order(), (std::vector<std::size_t>{0, 2, 1}));
}

TEST(ApiGraph, AFileIsReadAndWrittenUnchanged) {
  const std::string text = diamond().to_json();
  EXPECT_EQ(berth::Graph::parse(text).to_json(), text);
  const std::string path = scratch("graph.json");
  diamond().save(path);
  EXPECT_EQ(text_of(path), text);
  EXPECT_EQ(berth::Graph::load(path).to_json(), text);
}

TEST(ApiGraph, ModeAndPrecisionChangeAWorkload) {
  const auto ops = [](const berth::GraphOptions& options) {
    return berth::Graph::load("zoo:rnnlm:seq=4", options).op_count();
  };
  EXPECT_GT(ops({.mode = "training"}), ops({.mode = "inference"}));
  EXPECT_EQ(ops({}), ops({.mode = "training"}));
  const berth::Graph half =
      berth::Graph::load("zoo:rnnlm:seq=4", {.mode = "inference", .precision = "f16"});
  EXPECT_NE(half.to_json().find("\"precision\": \"f16\""), std::string::npos);
}

TEST(ApiCluster, PartsComeBackAsTheyWereGiven) {
  const berth::Cluster cluster = two_gpus();
  EXPECT_EQ(cluster.devices()[1].memory_bytes, 1'000'000);
  EXPECT_EQ(cluster.switches(), std::vector<std::string>{"switch"});
  EXPECT_EQ(cluster.links()[1].from, "gpu:1");
  EXPECT_EQ(cluster.find_device("gpu:1"), 1u);
  EXPECT_EQ(cluster.find_device("gpu:2"), std::nullopt);
  EXPECT_DOUBLE_EQ(cluster.transfer_seconds(0, 1, 1000), 1e-3);
  EXPECT_EQ(berth::Cluster::parse(cluster.to_json()).to_json(), cluster.to_json());
  const berth::Cluster apart("apart", {gpu("gpu:0"), gpu("gpu:1")}, {}, {});
  EXPECT_TRUE(std::isinf(apart.transfer_seconds(0, 1, 1)));
}

TEST(ApiCluster, APresetIsTheSameAsItsFile) {
  const berth::Cluster preset = berth::Cluster::load("4xP100");
  const std::string path = scratch("cluster.json");
  preset.save(path);
  EXPECT_EQ(berth::Cluster::load(path).to_json(), preset.to_json());
  EXPECT_GT(preset.devices()[1].flops.at("f32"), 1e12);
}

TEST(ApiProblem, ConstraintsNarrowTheDevicesOfGroups) {
  const berth::Problem problem(diamond(), two_gpus(),
                               {.pin = {{"d", {"gpu:1"}}}, .colocate = {{"[bc]"}}});
  EXPECT_EQ(problem.group_count(), 3u);
  EXPECT_EQ(problem.members(problem.group(1)), (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(problem.allowed_devices(problem.group(3)), std::vector<std::size_t>{1});
  EXPECT_TRUE(std::isinf(problem.seconds(3, 0)));
  const berth::Problem forbidden(diamond(), two_gpus(), {.forbid = {"gpu:0"}});
  EXPECT_EQ(forbidden.allowed_devices(0), std::vector<std::size_t>{1});
  const std::string path = scratch("constraints.json");
  std::ofstream(path) << R"({"format": "berth.constraints", "version": 1, "forbid": ["gpu:0"]})";
  EXPECT_EQ(berth::Constraints::load(path).forbid, std::vector<std::string>{"gpu:0"});
}

TEST(ApiProblem, AStepIsSimulatedAndTraced) {
  const berth::Problem problem = small_problem();
  const berth::Plan plan{.placement = {0, 0, 1, 0}};
  const berth::Outcome outcome = problem.simulate(plan);
  EXPECT_DOUBLE_EQ(outcome.step_seconds, 12e-3);
  EXPECT_EQ(outcome.transfers, 2);
  EXPECT_TRUE(outcome.feasible);
  const berth::Timeline timeline = problem.trace(plan);
  EXPECT_EQ(timeline.outcome, outcome);
  ASSERT_EQ(timeline.ops.size(), 4u);
  const auto c = std::find_if(timeline.ops.begin(), timeline.ops.end(),
                              [](const auto& run) { return run.op == 2; });
  EXPECT_EQ(c->device, 1u);
  EXPECT_DOUBLE_EQ(c->start_seconds, 2e-3);
  EXPECT_DOUBLE_EQ(c->end_seconds, 4e-3);
  ASSERT_EQ(timeline.transfers.size(), 2u);
  EXPECT_EQ(timeline.transfers[0].op, 0u);
  EXPECT_EQ(timeline.transfers[0].bytes, 1000);
  EXPECT_EQ(timeline.memory[1].peak_bytes, outcome.peak_bytes[1]);
  EXPECT_EQ(timeline.memory[1].param_bytes, 10'000);
  EXPECT_NE(problem.chrome_trace(plan).find("traceEvents"), std::string::npos);
}

TEST(ApiProblem, BoundsHaveNamesAndHold) {
  const berth::Bounds bounds = small_problem().bounds();
  EXPECT_FALSE(bounds.all.empty());
  EXPECT_NE(bounds.best.name, "");
  EXPECT_DOUBLE_EQ(bounds.best.seconds, 12e-3);
}

TEST(ApiProblem, WhatFitsNowhereIsProved) {
  const berth::Problem problem(
      berth::Graph(
          "large",
          {{.name = "large", .type = "MatMul", .param_bytes = 2'000'000, .seconds = {{"gpu", 1}}}}),
      two_gpus());
  const berth::Infeasibility proof = problem.prove_infeasible();
  EXPECT_TRUE(proof.proved);
  EXPECT_EQ(proof.missing_bytes, 1'000'000);
  EXPECT_EQ(proof.blocking_op, 0u);
  EXPECT_FALSE(small_problem().prove_infeasible().proved);
  EXPECT_FALSE(problem.simulate({.placement = {0}}).feasible);
}

TEST(ApiPlan, AFileIsReadBackWithItsRecord) {
  const berth::Problem problem = small_problem();
  const berth::Plan plan{.placement = {0, 0, 1, 0}, .priority = {0, 2, 0, -1}};
  const berth::PlanRecord record{.method = "mine", .seed = 7, .peak_bytes = {1, 2}};
  const std::string path = scratch("plan.json");
  berth::write_plan(path, problem, plan, record);
  const berth::PlanFile file = berth::read_plan(problem, path);
  EXPECT_EQ(file.plan, plan);
  EXPECT_EQ(file.record, record);
  EXPECT_EQ(berth::parse_plan(problem, text_of(path)).plan, plan);
}

TEST(ApiCatalog, ListsWhatThereIs) {
  const auto has = [](const auto& list, const std::string& name) {
    return std::any_of(list.begin(), list.end(),
                       [&](const auto& entry) { return entry.name == name; });
  };
  EXPECT_TRUE(has(berth::methods(), "auto"));
  EXPECT_TRUE(has(berth::workloads(), "rnnlm"));
  EXPECT_TRUE(has(berth::clusters(), "4xP100"));
  for (const berth::MethodFacts& method : berth::methods()) {
    if (method.name != "random") continue;
    EXPECT_EQ(method.options.at(0).name, "tries");
  }
}

}  // namespace
}  // namespace api_tests
