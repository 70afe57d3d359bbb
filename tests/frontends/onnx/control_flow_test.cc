// If, Loop, Scan, SequenceMap and functions: nothing in them is lost.
#include "frontends/onnx/import_test_case.h"

namespace berth {
namespace {

using namespace onnx_writer;

Bytes matmul_branch(const char* weights, int width) {
  return graph({node("MatMul", {"x", weights}, {std::string("out_") + weights}),
                weight(weights, {16, width}), output(std::string("out_") + weights)});
}

Bytes if_node() {
  return node("If", {"c"}, {"y"}, "if",
              attribute_graph("then_branch", matmul_branch("small", 4)) +
                  attribute_graph("else_branch", matmul_branch("large", 8)));
}

TEST(OnnxControlFlow, AnIfCostsItsDearerBranchAndHoldsBothWeights) {
  const auto m =
      import_bytes(model({if_node(), input("x", {2, 16}), input("c", {}, boolean), output("y")}));
  EXPECT_EQ(m.warnings(), Strings{});
  EXPECT_EQ(m.type("if"), "If");
  EXPECT_EQ(m.inputs("if"), (Strings{"c", "x", "small", "large"}));
  EXPECT_EQ(m.type("small"), "Variable");
  EXPECT_EQ(m.graph().param_bytes(m.op("large")), 16 * 8 * 4);
  EXPECT_EQ(m.graph().flops(m.op("if")), 2.0 * 2 * 16 * 8);
  EXPECT_EQ(m.shape("if"), (Shape{2, 8}));
  EXPECT_EQ(m.graph().temp_bytes(m.op("if")), 2 * 8 * 4);
}

TEST(OnnxControlFlow, AnIfWithAKnownConditionIsItsBranch) {
  const auto m = import_bytes(
      model({if_node(), initializer(tensor("c", boolean, {}, std::string_view("\1", 1))),
             input("x", {2, 16}), output("y")}));
  EXPECT_FALSE(m.has("if"));
  EXPECT_FALSE(m.has("large"));
  EXPECT_EQ(m.inputs("out_small"), (Strings{"x", "small"}));
  EXPECT_EQ(m.graph().graph_outputs()[0], m.graph().output(m.op("out_small"), 0));
}

TEST(OnnxControlFlow, WeightsOfTheOuterGraphAreCaptured) {
  const Bytes branch = graph({node("MatMul", {"x", "w"}, {"o"}), output("o")});
  const auto m = import_bytes(
      model({node("If", {"c"}, {"y"}, "if",
                  attribute_graph("then_branch", branch) + attribute_graph("else_branch", branch)),
             weight("w", {16, 4}), input("x", {2, 16}), input("c", {}, boolean), output("y")}));
  EXPECT_EQ(m.inputs("if"), (Strings{"c", "x", "w"}));
  EXPECT_EQ(m.count("Variable"), 1u);
}

Bytes loop_model(const Bytes& trips) {
  const Bytes body =
      graph({node("MatMul", {"v", "w"}, {"v_out"}), node("Identity", {"go"}, {"go_out"}),
             weight("w", {16, 16}), bytes(11, bytes(1, "i")), bytes(11, bytes(1, "go")),
             bytes(11, bytes(1, "v")), output("go_out"), output("v_out"), output("v_out")});
  return model(
      {node("Loop", {"m", "", "x"}, {"last", "all"}, "loop", attribute_graph("body", body)), trips,
       input("x", {2, 16}), output("all")});
}

TEST(OnnxControlFlow, ALoopCostsItsBodyTimesItsTrips) {
  const auto m = import_bytes(loop_model(initializer(integers("m", {5}, true))));
  EXPECT_EQ(m.warnings(), Strings{});
  EXPECT_EQ(m.graph().flops(m.op("loop")), 5 * 2.0 * 2 * 16 * 16);
  EXPECT_EQ(m.shape("loop", 0), (Shape{2, 16}));
  EXPECT_EQ(m.shape("loop", 1), (Shape{5, 2, 16}));
  EXPECT_EQ(m.inputs("loop"), (Strings{"m", "x", "w"}));
  EXPECT_EQ(m.count("Variable"), 1u);
}

// Crop and resize: for each box a picture of the batch, a region of it, brought to one size.
TEST(OnnxControlFlow, WhatIsCutOutByDataFits) {
  const Bytes body = graph(
      {node("Gather", {"boxes", "i"}, {"box"}), node("Gather", {"box", "zero"}, {"b"}),
       node("Add", {"b", "one"}, {"b_end"}), node("Unsqueeze", {"b", "axes"}, {"from"}),
       node("Unsqueeze", {"b_end", "axes"}, {"to"}),
       node("Slice", {"x", "from", "to", "axes"}, {"picture"}, "picture"),
       node("Reshape", {"picture", "single"}, {"row"}, "row"),
       node("Gather", {"box", "one"}, {"width"}), node("Unsqueeze", {"width", "axes"}, {"end"}),
       node("Slice", {"row", "axes", "end", "axes_1"}, {"region"}, "region"),
       node("Reshape", {"region", "piece"}, {"crop"}, "crop"),
       node("Add", {"region", "bias"}, {"moved"}, "moved"), node("Identity", {"go"}, {"go_out"}),
       bytes(11, bytes(1, "i")), bytes(11, bytes(1, "go")), output("go_out"), output("crop"),
       output("moved")});
  const auto m = import_bytes(
      model({node("Loop", {"n", ""}, {"crops", "all_moved"}, "loop", attribute_graph("body", body)),
             initializer(integers("n", {6}, true)), initializer(integers("zero", {0}, true)),
             initializer(integers("one", {1}, true)), initializer(integers("axes", {0})),
             initializer(integers("axes_1", {1})), initializer(integers("single", {1, 32})),
             initializer(integers("piece", {1, 8})), weight("bias", {8}), input("x", {4, 32}),
             input("boxes", {6, 2}, i64), output("crops"), output("all_moved")}));
  EXPECT_EQ(m.warnings(), Strings{});
  EXPECT_EQ(m.shape("loop", 0), (Shape{6, 1, 8}));
  EXPECT_EQ(m.shape("loop", 1), (Shape{6, 1, 8}));
}

TEST(OnnxControlFlow, ALoopOfUnknownTripsCountsOnceAndSaysSo) {
  const auto m = import_bytes(loop_model(input("m", {}, i64)));
  EXPECT_EQ(m.graph().flops(m.op("loop")), 2.0 * 2 * 16 * 16);
  EXPECT_EQ(m.shape("loop", 0), (Shape{2, 16}));
  EXPECT_EQ(m.warnings(), (Strings{"\"m.onnx\": the number of iterations of node \"loop\" (Loop) "
                                   "is not known and counts as one",
                                   "\"m.onnx\": 1 of 4 tensors has an unknown size and counts as "
                                   "0 bytes, the first is \"loop:1\""}));
}

TEST(OnnxControlFlow, TheFileMaySayHowOftenALoopGoesRound) {
  const auto m = import_bytes(loop_model(input("m", {}, i64) + described("all", {6, 2, 16})));
  EXPECT_EQ(m.warnings(), Strings{});
  EXPECT_EQ(m.graph().flops(m.op("loop")), 6 * 2.0 * 2 * 16 * 16);
}

TEST(OnnxControlFlow, ShapesThatGrowEvenlyGoOnGrowing) {
  const Bytes body = graph({node("Concat", {"v", "x"}, {"v_out"}, "", attribute("axis", 0)),
                            node("Identity", {"go"}, {"go_out"}), bytes(11, bytes(1, "i")),
                            bytes(11, bytes(1, "go")), bytes(11, bytes(1, "v")), output("go_out"),
                            output("v_out")});
  const auto m = import_bytes(
      model({node("Loop", {"m", "", "x"}, {"y"}, "loop", attribute_graph("body", body)),
             initializer(integers("m", {10}, true)), input("x", {2, 16}), output("y")}));
  EXPECT_EQ(m.shape("loop"), (Shape{22, 16}));
}

TEST(OnnxControlFlow, AScanGoesAlongItsSequence) {
  const Bytes body =
      graph({node("Add", {"s", "e"}, {"s_out"}), node("Identity", {"s_out"}, {"o"}),
             bytes(11, bytes(1, "s")), bytes(11, bytes(1, "e")), output("s_out"), output("o")});
  const auto m = import_bytes(
      model({node("Scan", {"start", "x"}, {"last", "all"}, "scan",
                  attribute_graph("body", body) + attribute("num_scan_inputs", 1) +
                      attribute("scan_input_axes", std::vector<std::int64_t>{1})),
             input("start", {2, 16}), input("x", {2, 7, 16}), output("all"), output("last")}));
  EXPECT_EQ(m.warnings(), Strings{});
  EXPECT_EQ(m.shape("scan", 0), (Shape{2, 16}));
  EXPECT_EQ(m.shape("scan", 1), (Shape{7, 2, 16}));
  EXPECT_EQ(m.graph().flops(m.op("scan")), 7.0 * 2 * 16);
}

TEST(OnnxControlFlow, BodiesWithinBodies) {
  const Bytes inner = graph({node("MatMul", {"v", "w"}, {"o"}), output("o")});
  const Bytes body = graph(
      {node("If", {"c"}, {"v_out"}, "",
            attribute_graph("then_branch", inner) + attribute_graph("else_branch", inner)),
       node("Identity", {"go"}, {"go_out"}), bytes(11, bytes(1, "i")), bytes(11, bytes(1, "go")),
       bytes(11, bytes(1, "v")), output("go_out"), output("v_out")});
  const auto m = import_bytes(
      model({node("Loop", {"m", "", "x"}, {"y"}, "loop", attribute_graph("body", body)),
             initializer(integers("m", {3}, true)), weight("w", {16, 16}), input("c", {}, boolean),
             input("x", {2, 16}), output("y")}));
  EXPECT_EQ(m.inputs("loop"), (Strings{"m", "x", "c", "w"}));
  EXPECT_EQ(m.graph().flops(m.op("loop")), 3 * 2.0 * 2 * 16 * 16);
}

TEST(OnnxControlFlow, WeightsInBodiesOfStrangeOperatorsCount) {
  const Bytes body = graph({node("MatMul", {"ids", "w"}, {"o"}), weight("w", {16, 16}),
                            input("ids", {2, 16}), output("o")});
  const auto m = import_bytes(model({node("BeamSearch", {"x"}, {"y"}, "beam",
                                          domain("com.example") + attribute_graph("decoder", body)),
                                     input("x", {2, 16}), output("y")}));
  EXPECT_EQ(m.inputs("beam"), (Strings{"x", "w"}));
}

TEST(OnnxFunctions, AreWrittenOutWithTheirAttributes) {
  const Bytes file =
      model({node("Twice", {"x"}, {"h"}, "first", domain("local") + attribute("ax", 1)),
             node("Twice", {"h"}, {"y"}, "", domain("local")), input("x", {2, 16}), output("y")},
            17, 8,
            function("local", "Twice", {"a"}, {"c"},
                     {node("Concat", {"a", "a"}, {"b"}, "cat", attribute_reference("axis", "ax")),
                      node("Once", {"b"}, {"c"}, "call", domain("local"))},
                     {"ax"}) +
                function("local", "Once", {"a"}, {"b"}, {node("Relu", {"a"}, {"b"}, "relu")}));
  const auto m = import_bytes(file);
  EXPECT_EQ(m.shape("first/cat"), (Shape{2, 32}));
  EXPECT_EQ(m.inputs("first/call/relu"), Strings{"first/cat"});
  EXPECT_FALSE(m.has("first"));
  EXPECT_EQ(m.inputs("y/cat"), (Strings{"first/call/relu", "first/call/relu"}));
}

TEST(OnnxFunctions, MayNotCallThemselves) {
  const std::string message = refusal(
      model({node("F", {"x"}, {"y"}, "f", domain("l")), input("x", {2}), output("y")}, 17, 8,
            function("l", "F", {"a"}, {"b"}, {node("F", {"a"}, {"b"}, "", domain("l"))})));
  EXPECT_EQ(message, "\"m.onnx\": the function \"l.F\" calls itself, which ONNX does not allow");
}

// Twenty functions that call the next one twice are a million nodes.
TEST(OnnxFunctions, CannotExplode) {
  Bytes functions;
  for (int i = 0; i < 20; ++i) {
    const std::string next = i == 19 ? "Relu" : "F" + std::to_string(i + 1);
    const Bytes where = i == 19 ? Bytes() : domain("l");
    functions +=
        function("l", "F" + std::to_string(i), {"a"}, {"c"},
                 {node(next, {"a"}, {"b"}, "", where), node(next, {"b"}, {"c"}, "", where)});
  }
  const Bytes file = model(
      {node("F0", {"x"}, {"y"}, "f", domain("l")), input("x", {2}), output("y")}, 17, 8, functions);
  EXPECT_NE(refusal(file, {.dims = {}, .directory = {}, .most_nodes = 10000})
                .find("more than 10000 nodes"),
            std::string::npos);
}

}  // namespace
}  // namespace berth
