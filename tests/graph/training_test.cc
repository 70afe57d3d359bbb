// The training transform on graphs small enough to say by hand what must come out.
#include "graph/training.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/thrown.h"
#include "graph/graph_builder.h"

namespace berth {
namespace {

constexpr DType kFloat = DType::f32;

// Adds ops by name, type, inputs and output shape.
class Sketch {
 public:
  TensorRef add(const std::string& name, const std::string& type,
                const std::vector<TensorRef>& inputs, std::vector<std::int64_t> shape,
                double flops = 0, DType dtype = kFloat) {
    const OpId op = builder.add_op(name, type);
    for (const TensorRef input : inputs) builder.add_input(op, input);
    builder.set_flops(op, flops);
    return builder.add_output(op, {.shape = shape, .has_shape = true, .dtype = dtype});
  }
  TensorRef weight(const std::string& name, std::vector<std::int64_t> shape) {
    const OpId op = builder.add_op(name, "Variable");
    builder.set_param_bytes(op, tensor_bytes(shape, kFloat));
    return builder.add_output(
        op, {.shape = shape, .has_shape = true, .dtype = kFloat, .resident = true});
  }
  Graph train(Optimizer optimizer = Optimizer::sgd) {
    return make_training_graph(std::move(builder).build(), {.optimizer = optimizer});
  }
  GraphBuilder builder{"sketch"};
};

OpId op(const Graph& graph, std::string_view name) {
  const std::optional<OpId> found = graph.find_op(name);
  EXPECT_TRUE(found.has_value()) << name;
  return found.value_or(OpId(0));
}

std::vector<std::string> inputs(const Graph& graph, std::string_view name) {
  std::vector<std::string> names;
  for (const TensorId input : graph.inputs(op(graph, name))) {
    names.push_back(graph.tensor_name(input));
  }
  return names;
}

std::string label(const Graph& graph, std::string_view name) {
  const std::uint32_t number = graph.colocation_label(op(graph, name));
  return number == Graph::kNone ? "" : std::string(graph.colocation_labels()[number]);
}

using Names = std::vector<std::string>;

// x -> matmul(w) -> relu -> matmul(v) -> logits
Sketch two_layers() {
  Sketch sketch;
  const TensorRef x = sketch.add("x", "Input", {}, {8, 4});
  const TensorRef w = sketch.weight("w", {4, 16});
  const TensorRef v = sketch.weight("v", {16, 10});
  const TensorRef hidden = sketch.add("hidden", "MatMul", {x, w}, {8, 16}, 1024);
  const TensorRef active = sketch.add("active", "Relu", {hidden}, {8, 16}, 128);
  sketch.builder.add_graph_output(sketch.add("logits", "MatMul", {active, v}, {8, 10}, 2560));
  return sketch;
}

TEST(Training, AddsLossGradientsAndUpdates) {
  const Graph graph = two_layers().train();
  EXPECT_EQ(inputs(graph, "loss"), (Names{"logits:0", "loss/labels:0"}));
  EXPECT_EQ(inputs(graph, "loss/grad"), (Names{"logits:0", "loss/labels:0"}));
  // A product has a gradient an operand, each reading the other operand.
  EXPECT_EQ(inputs(graph, "logits/grad_0"), (Names{"loss/grad:0", "v:0"}));
  EXPECT_EQ(inputs(graph, "logits/grad_1"), (Names{"loss/grad:0", "active:0"}));
  EXPECT_EQ(inputs(graph, "active/grad"), (Names{"logits/grad_0:0", "active:0"}));
  // The input has no gradient, so there is one product less.
  EXPECT_FALSE(graph.find_op("hidden/grad_0"));
  EXPECT_EQ(inputs(graph, "hidden/grad_1"), (Names{"active/grad:0", "x:0"}));
  EXPECT_EQ(inputs(graph, "w/update"), (Names{"hidden/grad_1:0", "w:0"}));
  EXPECT_EQ(graph.op_type(op(graph, "w/update")), "SGD");
  ASSERT_EQ(graph.graph_outputs().size(), 1u);
  EXPECT_EQ(graph.tensor_name(graph.graph_outputs()[0]), "loss:0");
}

TEST(Training, GradientsHaveTheShapeOfWhatTheyBelongTo) {
  const Graph graph = two_layers().train();
  const auto shape = [&](std::string_view name) {
    const auto dims = graph.shape(graph.first_output(op(graph, name)));
    return std::vector<std::int64_t>(dims.begin(), dims.end());
  };
  EXPECT_EQ(shape("logits/grad_0"), (std::vector<std::int64_t>{8, 16}));
  EXPECT_EQ(shape("logits/grad_1"), (std::vector<std::int64_t>{16, 10}));
  EXPECT_EQ(shape("hidden/grad_1"), (std::vector<std::int64_t>{4, 16}));
  EXPECT_EQ(graph.flops(op(graph, "logits/grad_1")), 2560);
}

TEST(Training, OpsShareADeviceWithTheirGradientsAndWeightsWithTheirUpdates) {
  const Graph graph = two_layers().train();
  EXPECT_EQ(label(graph, "hidden"), label(graph, "hidden/grad_1"));
  EXPECT_EQ(label(graph, "w"), label(graph, "w/update"));
  EXPECT_NE(label(graph, "w"), label(graph, "hidden"));
  EXPECT_EQ(label(graph, "loss"), label(graph, "loss/grad"));
  EXPECT_EQ(label(graph, "x"), "");
}

TEST(Training, LabelsOfTheForwardGraphStay) {
  Sketch sketch;
  const TensorRef w = sketch.weight("w", {4, 4});
  const TensorRef x = sketch.add("x", "Input", {}, {4, 4});
  const TensorRef y = sketch.add("y", "MatMul", {x, w}, {4, 4}, 128);
  sketch.builder.set_colocation(w.op, "block");
  sketch.builder.set_colocation(y.op, "block");
  sketch.builder.set_layer(y.op, "first");
  sketch.builder.add_graph_output(y);
  const Graph graph = sketch.train();
  EXPECT_EQ(label(graph, "y/grad_1"), "block");
  EXPECT_EQ(label(graph, "w/update"), "block");
  EXPECT_EQ(graph.layer_names()[graph.layer(op(graph, "y/grad_1"))], "first");
  EXPECT_EQ(graph.layer_names()[graph.layer(op(graph, "loss"))], "first");
}

TEST(Training, GradientsOfASharedWeightAreAddedUpInPlaceFromTheSecondSumOn) {
  Sketch sketch;
  const TensorRef w = sketch.weight("w", {4, 4});
  TensorRef x = sketch.add("x", "Input", {}, {4, 4});
  for (const char* name : {"a", "b", "c"}) x = sketch.add(name, "MatMul", {x, w}, {4, 4}, 128);
  sketch.builder.add_graph_output(x);
  const Graph graph = sketch.train();
  EXPECT_EQ(inputs(graph, "w/grad_sum_1"), (Names{"c/grad_1:0", "b/grad_1:0"}));
  EXPECT_EQ(inputs(graph, "w/grad_sum_2"), (Names{"w/grad_sum_1:0", "a/grad_1:0"}));
  EXPECT_EQ(graph.alias(graph.first_output(op(graph, "w/grad_sum_1"))), Graph::kNone);
  EXPECT_EQ(graph.alias(graph.first_output(op(graph, "w/grad_sum_2"))), 0u);
  EXPECT_EQ(inputs(graph, "w/update"), (Names{"w/grad_sum_2:0", "w:0"}));
  // Time steps are not tied together: neither by the weight nor by its sums.
  EXPECT_EQ(label(graph, "w/grad_sum_1"), "");
}

TEST(Training, SumsArePassedOnAndBroadcastInputsSummed) {
  Sketch sketch;
  const TensorRef w = sketch.weight("w", {8, 4});
  const TensorRef bias = sketch.weight("bias", {4});
  sketch.builder.add_graph_output(sketch.add("y", "Add", {w, bias}, {8, 4}, 32));
  const Graph graph = sketch.train();
  EXPECT_EQ(graph.op_type(op(graph, "y/grad")), "Identity");
  EXPECT_EQ(graph.alias(graph.first_output(op(graph, "y/grad"))), 0u);
  EXPECT_EQ(graph.op_type(op(graph, "y/grad_1")), "ReduceSum");
  EXPECT_EQ(inputs(graph, "bias/update"), (Names{"y/grad_1:0", "bias:0"}));
}

TEST(Training, ATableIsUpdatedInTheRowsThatWereRead) {
  Sketch sketch;
  const TensorRef table = sketch.weight("table", {1000, 16});
  const TensorRef first = sketch.add("first", "Input", {}, {8}, 0, DType::i32);
  const TensorRef second = sketch.add("second", "Input", {}, {8}, 0, DType::i32);
  const TensorRef a = sketch.add("a", "Gather", {table, first}, {8, 16});
  const TensorRef b = sketch.add("b", "Gather", {table, second}, {8, 16});
  sketch.builder.add_graph_output(sketch.add("y", "Mul", {a, b}, {8, 16}, 128));
  const Graph graph = sketch.train(Optimizer::adam);
  EXPECT_EQ(graph.op_type(op(graph, "table/update")), "ScatterAdam");
  EXPECT_EQ(inputs(graph, "table/update").size(), 3u);
  EXPECT_EQ(graph.bytes(graph.first_output(op(graph, "table/grad_rows"))), 2 * 8 * 16 * 4);
  // Two states of Adam, beside the table itself.
  EXPECT_EQ(graph.param_bytes(op(graph, "table")), 3 * 1000 * 16 * 4);
}

TEST(Training, ATableThatIsAlsoMultipliedGetsItsRowsAdded) {
  Sketch sketch;
  const TensorRef table = sketch.weight("table", {100, 16});
  const TensorRef ids = sketch.add("ids", "Input", {}, {8}, 0, DType::i32);
  const TensorRef x = sketch.add("x", "Gather", {table, ids}, {8, 16});
  const TensorRef turned = sketch.add("turned", "Transpose", {table}, {16, 100});
  sketch.builder.add_graph_output(sketch.add("logits", "MatMul", {x, turned}, {8, 100}, 25600));
  const Graph graph = sketch.train();
  EXPECT_EQ(inputs(graph, "table/grad_scatter"), (Names{"turned/grad:0", "x/grad:0", "ids:0"}));
  EXPECT_EQ(inputs(graph, "table/update"), (Names{"table/grad_scatter:0", "table:0"}));
}

TEST(Training, OptimizersKeepTheirState) {
  EXPECT_EQ(two_layers().train(Optimizer::sgd).param_bytes(OpId(0)), 0);
  const Graph momentum = two_layers().train(Optimizer::momentum);
  const Graph adam = two_layers().train(Optimizer::adam);
  EXPECT_EQ(momentum.param_bytes(op(momentum, "w/update")), 4 * 16 * 4);
  EXPECT_EQ(adam.param_bytes(op(adam, "w/update")), 2 * 4 * 16 * 4);
  EXPECT_EQ(parse_optimizer("adam"), Optimizer::adam);
  EXPECT_EQ(thrown([] { parse_optimizer("adan"); }),
            "there is no optimizer \"adan\"; valid are sgd, momentum, adam, adam16, adam8bit and "
            "adafactor; did you mean "
            "\"adam\"?");
}

TEST(Training, WhatHasNoSlopeGetsNoGradient) {
  Sketch sketch;
  const TensorRef w = sketch.weight("w", {4, 4});
  const TensorRef best = sketch.add("best", "ArgMax", {w}, {4}, 16, DType::i64);
  const TensorRef y = sketch.add("y", "Relu", {w}, {4, 4}, 16);
  sketch.builder.add_graph_output(best);
  sketch.builder.add_graph_output(y);
  const Graph graph = sketch.train();
  EXPECT_FALSE(graph.find_op("best/grad"));
  EXPECT_TRUE(graph.find_op("y/grad"));
}

TEST(Training, AnOpWithWeightsOfItsOwnIsUpdatedToo) {
  Sketch sketch;
  const TensorRef x = sketch.add("x", "Input", {}, {4, 4});
  const TensorRef y = sketch.add("y", "MatMul", {x}, {4, 4}, 128);
  sketch.builder.set_param_bytes(y.op, 64);
  sketch.builder.add_graph_output(y);
  const Graph graph = sketch.train(Optimizer::momentum);
  EXPECT_EQ(graph.bytes(graph.first_output(op(graph, "y/grad_weights"))), 64);
  EXPECT_EQ(graph.param_bytes(op(graph, "y/update")), 64);
}

// Whatever number the output has that leads to the loss.
TEST(Training, AnOpWithWeightsOfItsOwnIsUpdatedWhenOnlyALaterOutputIsUsed) {
  Sketch sketch;
  const TensorRef x = sketch.add("x", "Input", {}, {8, 16});
  const OpId cell = sketch.builder.add_op("cell", "Lstm");
  sketch.builder.add_input(cell, x);
  sketch.builder.set_param_bytes(cell, 4096);
  const std::vector<std::int64_t> shape = {8, 16};
  sketch.builder.add_output(cell, {.shape = shape, .has_shape = true, .dtype = kFloat});
  const TensorRef state =
      sketch.builder.add_output(cell, {.shape = shape, .has_shape = true, .dtype = kFloat});
  sketch.builder.add_graph_output(sketch.add("relu", "Relu", {state}, {8, 16}));
  const Graph graph = sketch.train();
  EXPECT_EQ(inputs(graph, "cell/grad_weights"), (Names{"relu/grad:0", "x:0"}));
  EXPECT_TRUE(graph.find_op("cell/update").has_value());
}

TEST(Training, GivenTimesCarryOver) {
  Sketch sketch;
  const TensorRef w = sketch.weight("w", {4, 4});
  const TensorRef y = sketch.add("y", "Erf", {w}, {4, 4}, 16);
  sketch.builder.add_seconds(y.op, "gpu", 0.5);
  sketch.builder.add_graph_output(y);
  const Graph graph = sketch.train();
  ASSERT_EQ(graph.given_seconds(op(graph, "y/grad")).size(), 1u);
  EXPECT_EQ(graph.given_seconds(op(graph, "y/grad"))[0].seconds, 0.5);
}

TEST(Training, NamesThatAreTakenAreAvoided) {
  Sketch sketch;
  const TensorRef w = sketch.weight("w", {4, 4});
  const TensorRef y = sketch.add("y", "Relu", {w}, {4, 4}, 16);
  sketch.builder.add_graph_output(sketch.add("y/grad", "Relu", {y}, {4, 4}, 16));
  const Graph graph = sketch.train();
  EXPECT_TRUE(graph.find_op("y/grad_"));
}

TEST(Training, NothingToTrainIsSaid) {
  Sketch sketch;
  const TensorRef x = sketch.add("x", "Input", {}, {4});
  sketch.builder.add_graph_output(sketch.add("y", "Relu", {x}, {4}, 4));
  EXPECT_EQ(
      thrown([&] { sketch.train(); }).find("\"sketch\" cannot be trained: none of its outputs"),
      0u);
}

// Gradients and states would wrap around unseen.
TEST(Training, WhatGrowsPast63BitsIsRefused) {
  Sketch sketch;
  const TensorRef w = sketch.weight("w", {INT64_C(1) << 57, 1});
  sketch.builder.add_graph_output(sketch.add("y", "Relu", {w}, {4}, 4));
  EXPECT_EQ(thrown([&] { sketch.train(); }),
            "the sizes of model \"sketch\" add up in training, with gradients and the optimizer's "
            "state, to more bytes than fit in 63 bits; the largest is the tensor \"w:0\" with "
            "576460752303423488 bytes");
}

}  // namespace
}  // namespace berth
