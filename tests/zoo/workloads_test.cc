// What holds for every workload, and what each of the first three promises.
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/thrown.h"
#include "cluster/presets.h"
#include "graph/graph_builder.h"
#include "sim/simulator.h"
#include "zoo/expert.h"
#include "zoo/workload.h"

namespace berth::zoo {
namespace {

Graph build(const std::string& text, Mode mode = Mode::training) {
  const Call call = parse_call(text);
  const Workload& workload = find_workload(call.name);
  return workload.build(Options(workload.name, workload.options, call), mode);
}

Cluster cluster_of(std::size_t gpus) {
  Device cpu;
  cpu.name = "cpu:0";
  cpu.kind = "cpu";
  cpu.flops = {{DType::unknown, 6e11}};
  std::vector<Device> devices = {cpu};
  std::vector<Link> links;
  for (std::size_t i = 0; i < gpus; ++i) {
    Device gpu;
    gpu.name = "gpu:" + std::to_string(i);
    gpu.kind = "gpu";
    gpu.model = "P100";
    gpu.flops = {{DType::f32, 9.3e12}};
    gpu.bandwidth = 732e9;
    gpu.launch_seconds = 8e-6;
    devices.push_back(gpu);
  }
  for (std::uint32_t device = 0; device < devices.size(); ++device) {
    links.push_back(
        {.from = device, .to = static_cast<std::uint32_t>(devices.size()), .bandwidth = 12e9});
  }
  return Cluster("test", devices, {"pcie"}, links);
}

TEST(Workloads, AreNamedAndDescribed) {
  ASSERT_GE(workloads().size(), 3u);
  for (const Workload& workload : workloads()) {
    SCOPED_TRACE(workload.name);
    EXPECT_EQ(&find_workload(workload.name), &workload);
    EXPECT_FALSE(workload.summary.empty());
    for (const OptionSpec& option : workload.options) EXPECT_FALSE(option.sentence.empty());
  }
}

TEST(Workloads, AnUnknownNameIsToldTheKnownOnes) {
  const std::string message = thrown([] { find_workload("teeny"); });
  EXPECT_EQ(message.find("there is no workload \"teeny\"; the workloads are chain, layered"), 0u)
      << message;
}

TEST(Workloads, ChainIsAChain) {
  const Graph graph = build("chain");
  ASSERT_EQ(graph.op_count(), 65u);
  for (std::size_t i = 1; i < graph.op_count(); ++i) {
    ASSERT_EQ(graph.predecessors(OpId(i)).size(), 1u);
    EXPECT_EQ(graph.predecessors(OpId(i))[0], OpId(i - 1));
  }
  EXPECT_EQ(graph.op_type(OpId(1)), "MatMul");
  EXPECT_EQ(graph.flops(OpId(1)), 2e9);
  EXPECT_EQ(graph.param_bytes(OpId(1)), 4194304);
  EXPECT_EQ(graph.bytes(TensorId(1)), 4194304);
  EXPECT_EQ(graph.dtype(TensorId(1)), DType::f32);
  EXPECT_EQ(graph.graph_outputs().size(), 1u);
}

TEST(Workloads, ChainTakesItsFigures) {
  const Graph graph = build("chain:ops=3:flops=10:bytes=7:param_bytes=1:spread=0.5:seed=4");
  EXPECT_EQ(graph.op_count(), 4u);
  EXPECT_EQ(graph.bytes(TensorId(0)), 4);  // whole elements
  EXPECT_GE(graph.flops(OpId(1)), 5);
  EXPECT_LE(graph.flops(OpId(1)), 15);
}

TEST(Workloads, ChainTakesMillisecondsOnAGpu) {
  const Problem problem(build("chain"), cluster_of(1));
  const Plan plan{.placement = std::vector<DeviceId>(problem.op_count(), DeviceId(1))};
  const double seconds = Simulator(problem).evaluate(plan).step_seconds;
  EXPECT_GT(seconds, 2e-3);
  EXPECT_LT(seconds, 100e-3);
}

TEST(Workloads, LayeredHasTheSizeAskedFor) {
  for (const std::size_t ops : {1, 2, 10, 1000, 20'000}) {
    const Graph graph = build("layered(ops=" + std::to_string(ops) + ")");
    EXPECT_EQ(graph.op_count(), ops);
    if (ops < 1000) continue;
    const double edges = static_cast<double>(graph.edge_count()) / static_cast<double>(ops);
    EXPECT_GT(edges, 1.6);
    EXPECT_LT(edges, 2.4);
    std::int64_t param_bytes = 0;
    for (std::size_t i = 0; i < ops; ++i) param_bytes += graph.param_bytes(OpId(i));
    EXPECT_GT(param_bytes, 0);
  }
}

TEST(Workloads, LayeredKeepsItsWidth) {
  const Graph graph = build("layered(ops=5000,width=10)");
  const auto layers = graph.layer_names().size();
  EXPECT_GT(layers, 400u);
  EXPECT_LT(layers, 600u);
}

TEST(Workloads, LayeredIsDrawnByItsSeed) {
  const auto print = [](const Graph& graph) {
    std::string text;
    for (std::size_t i = 0; i < graph.op_count(); ++i) {
      text += std::string(graph.op_name(OpId(i))) + " " + std::to_string(graph.flops(OpId(i)));
      for (const TensorId tensor : graph.inputs(OpId(i))) text += " " + graph.tensor_name(tensor);
      text += "\n";
    }
    return text;
  };
  const std::string first = print(build("layered(ops=300,seed=1)"));
  EXPECT_EQ(first, print(build("layered(ops=300,seed=1)", Mode::inference)));
  EXPECT_NE(first, print(build("layered(ops=300,seed=2)")));
}

TEST(Workloads, LayeredShapesFitTogether) {
  const Graph graph = build("layered(ops=2000)");
  for (std::size_t i = 0; i < graph.op_count(); ++i) {
    const OpId op(i);
    std::int64_t read = 0;
    for (const TensorId tensor : graph.inputs(op)) read += graph.shape(tensor)[1];
    const std::int64_t made = graph.shape(graph.output(op, 0))[1];
    if (graph.op_type(op) == "MatMul") {
      EXPECT_EQ(graph.param_bytes(op), 4 * read * made);
    } else if (graph.op_type(op) == "Concat") {
      EXPECT_EQ(made, read);
    } else if (graph.op_type(op) != "Input") {
      EXPECT_EQ(read, made * static_cast<std::int64_t>(graph.inputs(op).size()));
    }
    EXPECT_NE(classify(graph.op_type(op)), OpClass::other) << graph.op_type(op);
  }
}

TEST(Workloads, TinyHasOneOfEverything) {
  const Graph graph = build("tiny");
  EXPECT_GE(graph.op_count(), 15u);
  EXPECT_LE(graph.op_count(), 25u);
  int resident = 0, aliases = 0, after = 0;
  for (std::size_t i = 0; i < graph.tensor_count(); ++i) {
    resident += graph.resident(TensorId(i));
    aliases += graph.alias(TensorId(i)) != Graph::kNone;
  }
  for (std::size_t i = 0; i < graph.op_count(); ++i) {
    after += !graph.after(OpId(i)).empty();
    EXPECT_NE(graph.layer(OpId(i)), Graph::kNone);
    EXPECT_NE(classify(graph.op_type(OpId(i))), OpClass::other) << graph.op_type(OpId(i));
  }
  EXPECT_EQ(resident, 5);
  EXPECT_EQ(aliases, 1);
  EXPECT_EQ(after, 1);
  EXPECT_EQ(graph.colocation_labels().size(), 5u);
  EXPECT_EQ(graph.graph_outputs().size(), 1u);
}

TEST(Workloads, ExpertOfTinySplitsLayersInBlocks) {
  const Workload& tiny = find_workload("tiny");
  for (const std::size_t gpus : {1, 2, 4}) {
    const Problem problem(build("tiny"), cluster_of(gpus));
    const auto plan = tiny.expert(problem);
    ASSERT_TRUE(plan);
    EXPECT_TRUE(violations(problem, *plan).empty());
    std::vector<std::uint8_t> used(gpus + 1, 0);
    const Graph& graph = problem.graph();
    for (std::size_t i = 0; i < graph.op_count(); ++i) {
      used[plan->placement[i].index()] = 1;
      for (std::size_t j = 0; j < i; ++j) {
        if (graph.layer(OpId(j)) == graph.layer(OpId(i))) {
          EXPECT_EQ(plan->placement[j], plan->placement[i]);
        } else if (graph.layer(OpId(j)) < graph.layer(OpId(i))) {
          EXPECT_LE(plan->placement[j], plan->placement[i]);
        }
      }
    }
    EXPECT_FALSE(used[0]);
    for (std::size_t gpu = 1; gpu <= gpus; ++gpu) EXPECT_TRUE(used[gpu]);
  }
  EXPECT_FALSE(tiny.expert(Problem(build("tiny"), cluster_of(0))));
}

TEST(Workloads, ExpertsKeepToAllowedDevicesAndRoutes) {
  Constraints pin;
  pin.pins = {{.pattern = "head/*", .devices = {"cpu:0"}}};
  const Problem pinned(build("tiny"), cluster_of(2), pin);
  const auto plan = split_layers_over_gpus(pinned);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->placement[pinned.graph().find_op("head/matmul")->index()], DeviceId(0));

  const Cluster whole = cluster_of(2);
  const Cluster apart("apart", {whole.devices().begin(), whole.devices().end()}, {}, {});
  EXPECT_FALSE(split_layers_over_gpus(Problem(build("tiny"), apart)));
}

TEST(Workloads, SizesPast63BitsAreRefused) {
  EXPECT_EQ(thrown([] { build("gpt(dtype=f32,batch=65536,seq=1e6)"); }),
            "the sizes of model \"gpt\" add up to more bytes than fit in 63 bits; the largest is "
            "the tensor \"layer_0/attention/scores:0\" with 6553600000000000000 bytes");
  EXPECT_EQ(thrown([] {
              build("gpt(size=13b,dtype=f32,batch=65536,seq=1e6)");
            }).find("the tensor \"layer_0/attention/scores:0\" of model \"gpt\" is too large"),
            0u);
}

}  // namespace
}  // namespace berth::zoo
