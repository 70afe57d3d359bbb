// What is known before the step begins is a constant, however large, and nothing is left of how it
// is computed.
#include "frontends/onnx/import_test_case.h"
#include "graph/training.h"

namespace berth {
namespace {

using namespace onnx_writer;

// A causal mask as exporters write it, of ones, a triangle and a comparison.
Bytes masked(const Names& mask_readers) {
  Bytes nodes =
      joined({node("Shape", {"x"}, {"shape"}), node("Gather", {"shape", "one"}, {"length"}),
              node("Unsqueeze", {"length", "zero"}, {"side"}),
              node("Concat", {"side", "side"}, {"square"}, "", attribute("axis", 0)),
              node("ConstantOfShape", {"square"}, {"ones"}, "ones"),
              node("Trilu", {"ones"}, {"triangle"}, "trilu"),
              node("Cast", {"triangle"}, {"mask"}, "mask", attribute("to", 9))});
  std::string before = "x";
  for (const std::string& reader : mask_readers) {
    nodes += node("Where", {"mask", before, "x"}, {reader + "_out"}, reader);
    before = reader + "_out";
  }
  return model({nodes, initializer(integers("one", {1}, true)), initializer(integers("zero", {0})),
                input("x", {"batch", "seq", "seq"}), output(before)});
}

ImportedModel with_length(const Bytes& file, std::int64_t length) {
  return import_bytes(file, {.dims = {{"batch", 2}, {"seq", length}}, .directory = {}});
}

TEST(OnnxConstants, AreFoldedWhateverTheirSize) {
  for (const std::int64_t length : {std::int64_t{4}, std::int64_t{256}, std::int64_t{1} << 24}) {
    SCOPED_TRACE(length);
    const auto m = with_length(masked({"where"}), length);
    EXPECT_EQ(m.warnings(), Strings{});
    EXPECT_EQ(m.graph().op_count(), 3u);  // x, mask, where
    EXPECT_EQ(m.type("mask"), "Constant");
    EXPECT_EQ(m.shape("mask"), (Shape{length, length}));
    EXPECT_EQ(m.bytes("mask"), length * length);
    EXPECT_EQ(m.inputs("where"), (Strings{"mask", "x", "x"}));
  }
}

// Like an initializer: there for the whole step, once for all that read it.
TEST(OnnxConstants, LargeOnesAreResident) {
  const auto m = with_length(masked({"/layers.0/Where", "/layers.1/Where"}), 256);
  EXPECT_EQ(m.count("Constant"), 1u);
  EXPECT_EQ(m.graph().param_bytes(m.op("mask")), 256 * 256);
  EXPECT_TRUE(m.graph().resident(m.graph().output(m.op("mask"), 0)));
  EXPECT_EQ(m.layer("mask"), "layers.0");
  const auto small = with_length(masked({"where"}), 4);
  EXPECT_EQ(small.graph().param_bytes(small.op("mask")), 0);
}

TEST(OnnxConstants, AreNotTrained) {
  const auto m = import_bytes(
      model({node("ConstantOfShape", {"s"}, {"zeros"}, "zeros"), node("MatMul", {"x", "w"}, {"h"}),
             node("Add", {"h", "zeros"}, {"y"}), initializer(integers("s", {100, 100})),
             weight("w", {100, 100}), input("x", {100, 100}), output("y")}));
  EXPECT_EQ(m.graph().param_bytes(m.op("zeros")), 40000);
  const Graph training = make_training_graph(m.graph(), {});
  EXPECT_TRUE(training.find_op("w/update"));
  EXPECT_FALSE(training.find_op("zeros/update"));
}

// Masks are often stored whole and cut to size; they are integers or truths, and no weights.
TEST(OnnxConstants, AreMadeOfBuffers) {
  const auto m = import_bytes(
      model({node("Slice", {"stored", "from", "to"}, {"cut"}, "cut"),
             node("Where", {"cut", "x", "x"}, {"y"}),
             initializer(tensor("stored", boolean, {128, 128}, Bytes(128 * 128, '\0'))),
             initializer(integers("from", {0, 0})), initializer(integers("to", {100, 100})),
             input("x", {100, 100}), output("y")}));
  EXPECT_EQ(m.type("cut"), "Constant");
  EXPECT_FALSE(m.has("stored"));
}

TEST(OnnxConstants, AreNotWhatIsDrawnOrRead) {
  const auto m = import_bytes(model(
      {node("RandomNormal", {}, {"noise"}, "noise", attribute("shape", {100, 100})),
       node("Expand", {"scalar", "shape"}, {"wide"}, "wide"), node("Add", {"noise", "wide"}, {"y"}),
       initializer(integers("shape", {100, 100})), input("scalar", {}), output("y")}));
  EXPECT_EQ(m.type("noise"), "RandomNormal");
  EXPECT_EQ(m.type("wide"), "Expand");
}

// In the body of a loop a constant takes no work; room it takes while it is read.
TEST(OnnxConstants, InABody) {
  const Bytes body =
      graph({node("ConstantOfShape", {"s"}, {"ones"}), node("Trilu", {"ones"}, {"m"}),
             node("Add", {"v", "m"}, {"v_out"}), node("Identity", {"go"}, {"go_out"}),
             bytes(11, bytes(1, "i")), bytes(11, bytes(1, "go")), bytes(11, bytes(1, "v")),
             output("go_out"), output("v_out")});
  const auto m = import_bytes(
      model({node("Loop", {"n", "", "x"}, {"y"}, "loop", attribute_graph("body", body)),
             initializer(integers("n", {3}, true)), initializer(integers("s", {100, 100})),
             input("x", {100, 100}), output("y")}));
  EXPECT_EQ(m.graph().flops(m.op("loop")), 3 * 100 * 100);
  EXPECT_EQ(m.inputs("loop"), (Strings{"n", "x"}));
  EXPECT_GE(m.graph().temp_bytes(m.op("loop")), 40000);
}

TEST(OnnxConstants, AsOutputsAreKept) {
  const auto m = import_bytes(model({node("Split", {"s"}, {"a", "b"}, "split"),
                                     node("Relu", {"x"}, {"y"}), initializer(integers("s", {1, 2})),
                                     input("x", {8}), output("a"), output("b"), output("y")}));
  EXPECT_EQ(m.graph().graph_outputs().size(), 3u);
  EXPECT_EQ(m.type("split"), "Constant");
  EXPECT_EQ(m.type("split/b"), "Constant");
}

}  // namespace
}  // namespace berth
