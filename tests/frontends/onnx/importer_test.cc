// Nodes, weights, constants, names, layers: what becomes of a plain graph.
#include "frontends/onnx/importer.h"

#include <filesystem>

#include "base/file.h"
#include "frontends/onnx/import_test_case.h"

namespace berth {
namespace {

using namespace onnx_writer;

TEST(OnnxImporter, NodesInputsAndWeights) {
  const auto m = import_bytes(
      model({node("MatMul", {"x", "w"}, {"h"}, "mm"), node("Relu", {"h"}, {"y"}, "relu"),
             weight("w", {16, 4}), input("x", {8, 16}), output("y", {8, 4})}));
  EXPECT_EQ(m.warnings(), Strings{});
  EXPECT_EQ(m.graph().name(), "g");
  EXPECT_EQ(m.graph().op_count(), 4u);
  EXPECT_EQ(m.type("x"), "Input");
  EXPECT_EQ(m.shape("x"), (Shape{8, 16}));
  EXPECT_EQ(m.type("w"), "Variable");
  EXPECT_EQ(m.graph().param_bytes(m.op("w")), 256);
  EXPECT_TRUE(m.graph().resident(m.graph().output(m.op("w"), 0)));
  EXPECT_EQ(m.inputs("mm"), (Strings{"x", "w"}));
  EXPECT_EQ(m.graph().flops(m.op("mm")), 2.0 * 8 * 16 * 4);
  EXPECT_EQ(m.bytes("mm"), 8 * 4 * 4);
  EXPECT_EQ(m.graph().dtype(m.graph().output(m.op("mm"), 0)), DType::f32);
  ASSERT_EQ(m.graph().graph_outputs().size(), 1u);
  EXPECT_EQ(m.graph().graph_outputs()[0], m.graph().output(m.op("relu"), 0));
}

TEST(OnnxImporter, AViewSharesTheMemoryOfItsInput) {
  const auto m =
      import_bytes(model({node("Reshape", {"x", "s"}, {"y"}, "r"),
                          initializer(integers("s", {4, 32})), input("x", {8, 16}), output("y")}));
  EXPECT_EQ(m.graph().alias(m.graph().output(m.op("r"), 0)), 0u);
  EXPECT_EQ(m.shape("r"), (Shape{4, 32}));
  EXPECT_EQ(m.type("s"), "Constant");
  EXPECT_EQ(m.graph().param_bytes(m.op("s")), 0);
}

TEST(OnnxImporter, UnusedInitializersAreDropped) {
  const auto m = import_bytes(
      model({node("Relu", {"x"}, {"y"}), weight("unused", {1000}), input("x", {8}), output("y")}));
  EXPECT_EQ(m.graph().op_count(), 2u);
}

// Up to IR version 3 every initializer is also listed as an input.
TEST(OnnxImporter, InitializersAmongTheInputs) {
  const auto m = import_bytes(model({node("Add", {"x", "w"}, {"y"}), weight("w", {8}),
                                     input("x", {8}), input("w", {8}), output("y")},
                                    8, 3));
  EXPECT_EQ(m.count("Input"), 1u);
  EXPECT_EQ(m.type("w"), "Variable");
}

TEST(OnnxImporter, OneWeightOfManyReadersIsOneVariable) {
  const auto m = import_bytes(model({node("Add", {"x", "w"}, {"a"}), node("Mul", {"a", "w"}, {"y"}),
                                     weight("w", {8}), input("x", {8}), output("y")}));
  EXPECT_EQ(m.count("Variable"), 1u);
}

TEST(OnnxImporter, WeightsInConstantNodes) {
  const auto m = import_bytes(
      model({node("Constant", {}, {"w"}, "const_w",
                  attribute_tensor("value", tensor("", f32, {64, 64}, Bytes(64 * 64 * 4, '\0')))),
             node("Constant", {}, {"half"}, "",
                  attribute_tensor("value", tensor("", f32, {}, Bytes(4, '\0')))),
             node("MatMul", {"x", "w"}, {"h"}), node("Mul", {"h", "half"}, {"y"}),
             input("x", {8, 64}), output("y")}));
  EXPECT_EQ(m.type("const_w"), "Variable");
  EXPECT_EQ(m.graph().param_bytes(m.op("const_w")), 64 * 64 * 4);
  EXPECT_EQ(m.type("half"), "Constant");  // a number, nothing to train or to place
}

TEST(OnnxImporter, SparseInitializersCountWhatIsStored) {
  const Bytes sparse = bytes(1, tensor("w", f32, {3}, Bytes(12, '\0'))) +
                       bytes(2, tensor("", i64, {3}, Bytes(24, '\0'))) + integer(3, 100) +
                       integer(3, 100);
  const auto m = import_bytes(model(
      {node("MatMul", {"x", "w"}, {"y"}), bytes(15, sparse), input("x", {8, 100}), output("y")}));
  EXPECT_EQ(m.graph().param_bytes(m.op("w")), 36);
  EXPECT_EQ(m.shape("y"), (Shape{8, 100}));
}

TEST(OnnxImporter, TypesAndTheirBytes) {
  const auto bytes_of = [](Element element) {
    return import_bytes(
               model({node("Identity", {"x"}, {"y"}), input("x", {5, 3}, element), output("y")}, 21,
                     10))
        .bytes("x");
  };
  EXPECT_EQ(bytes_of(f32), 60);
  EXPECT_EQ(bytes_of(f16), 30);
  EXPECT_EQ(bytes_of(i8), 15);
  EXPECT_EQ(bytes_of(i64), 120);
  EXPECT_EQ(bytes_of(boolean), 15);
  EXPECT_EQ(bytes_of(i4), 8);  // two to a byte
  EXPECT_EQ(bytes_of(text), 15 * 16);
}

TEST(OnnxImporter, ShapeArithmeticIsFolded) {
  const auto m = import_bytes(
      model({node("Shape", {"x"}, {"s"}, "shape"), node("Gather", {"s", "zero"}, {"b"}, "gather"),
             node("Unsqueeze", {"b", "axes"}, {"b1"}, "unsqueeze"),
             node("Concat", {"b1", "rest"}, {"target"}, "concat", attribute("axis", 0)),
             node("Reshape", {"x", "target"}, {"y"}, "reshape"),
             initializer(integers("zero", {0}, true)), initializer(integers("axes", {0})),
             initializer(integers("rest", {-1})), input("x", {8, 3, 5}), output("y")}));
  EXPECT_EQ(m.warnings(), Strings{});
  // Of all that only what the step reads is left.
  EXPECT_EQ(m.type("concat"), "Constant");
  EXPECT_EQ(m.inputs("concat"), Strings{});
  EXPECT_EQ(m.graph().op_count(), 3u);
  EXPECT_EQ(m.shape("reshape"), (Shape{8, 15}));
}

// Folded away, the bias would be gone, and with it what it takes and what is to be trained.
TEST(OnnxImporter, WhatIsMadeOfWeightsIsNotFolded) {
  const auto m =
      import_bytes(model({node("Unsqueeze", {"bias", "axes"}, {"b"}, "unsqueeze"),
                          node("Identity", {"b"}, {"b2"}, "identity"),
                          node("Add", {"x", "b2"}, {"y"}), weight("bias", {16}),
                          initializer(integers("axes", {0})), input("x", {8, 16}), output("y")}));
  EXPECT_EQ(m.type("unsqueeze"), "Unsqueeze");
  EXPECT_EQ(m.type("identity"), "Identity");
  EXPECT_EQ(m.type("bias"), "Variable");
}

TEST(OnnxImporter, NamesAreMadeUnique) {
  const auto m =
      import_bytes(model({node("Relu", {"x"}, {"a"}), node("Relu", {"a"}, {"b"}, "same"),
                          node("Relu", {"b"}, {"c"}, "same"), node("Relu", {"c"}, {"y"}, "x"),
                          input("x", {8}), output("y")}));
  EXPECT_EQ(m.inputs("same"), Strings{"a"});
  EXPECT_EQ(m.inputs("same/c"), Strings{"same"});
  EXPECT_EQ(m.inputs("x/y"), Strings{"same/c"});
}

TEST(OnnxImporter, BrokenTextInNamesIsReplaced) {
  const auto m =
      import_bytes(model({node("Relu", {"x"}, {"y"}, "a\xff"), input("x", {8}), output("y")}));
  EXPECT_TRUE(m.has("a?"));
}

TEST(OnnxImporter, LayersFromModulePaths) {
  const auto m = import_bytes(
      model({node("MatMul", {"x", "w"}, {"a"}, "/encoder/layer.0/attention/MatMul"),
             node("Relu", {"a"}, {"b"}, "/layer1/layer1.2/relu_1/Relu_3"),
             node("Relu", {"b"}, {"c"}, "/head/Relu_7"), node("Relu", {"c"}, {"y"}, "Relu_8"),
             weight("w", {8, 8}), input("x", {8, 8}), output("y")}));
  EXPECT_EQ(m.layer("/encoder/layer.0/attention/MatMul"), "encoder.layer.0");
  EXPECT_EQ(m.layer("w"), "encoder.layer.0");
  EXPECT_EQ(m.layer("/layer1/layer1.2/relu_1/Relu_3"), "layer1.2");
  EXPECT_EQ(m.layer("/head/Relu_7"), "");
  EXPECT_EQ(m.layer("Relu_8"), "");
}

TEST(OnnxImporter, NodesOutOfOrder) {
  const auto m =
      import_bytes(model({node("Relu", {"a"}, {"y"}, "second"), node("Relu", {"x"}, {"a"}, "first"),
                          input("x", {8}), output("y")}));
  EXPECT_EQ(m.inputs("second"), Strings{"first"});
  EXPECT_EQ(m.warnings(), Strings{});
}

TEST(OnnxImporter, UnknownOperators) {
  const auto m = import_bytes(model({node("Fancy", {"x"}, {"a"}, "f1", domain("org.example")),
                                     node("Fancy", {"a"}, {"y"}, "f2", domain("org.example")),
                                     input("x", {8, 4}), described("a", {2, 2}), output("y")}));
  EXPECT_EQ(m.type("f1"), "org.example.Fancy");
  EXPECT_EQ(m.bytes("f1"), 16);  // from the file
  EXPECT_EQ(m.bytes("f2"), 16);  // like its input
  ASSERT_EQ(m.warnings().size(), 1u);
  EXPECT_EQ(m.warnings()[0],
            "\"m.onnx\": \"org.example.Fancy\" (2 ops) is not known; what they cost follows from "
            "the bytes they move, and 1 of its outputs, which the file does not describe, is "
            "assumed to be like the first input");
}

TEST(OnnxImporter, UnknownSizesAreCounted) {
  const auto m =
      import_bytes(model({node("Reshape", {"x", "to"}, {"a"}), node("Relu", {"a"}, {"y"}),
                          input("x", {8, 4}), input("to", {2}, i64), output("y", {2, "found"})}));
  ASSERT_EQ(m.warnings().size(), 1u);
  EXPECT_EQ(m.warnings()[0],
            "\"m.onnx\": 2 of 4 tensors have an unknown size and count as 0 bytes, the first is "
            "\"a:0\"");
  EXPECT_EQ(m.imported.unknown_tensors, 2u);
}

// x[i:i+1] is one row, though nobody knows which; x[i:j] is at most all of them.
TEST(OnnxImporter, ASliceThatDataPlaces) {
  const auto m = import_bytes(model(
      {node("Add", {"i", "one"}, {"next"}), node("Unsqueeze", {"i", "axes"}, {"from"}),
       node("Unsqueeze", {"next", "axes"}, {"to"}), node("Slice", {"x", "from", "to"}, {"row"}),
       node("Unsqueeze", {"j", "axes"}, {"end"}), node("Slice", {"x", "from", "end"}, {"rows"}),
       node("Gemm", {"row", "w"}, {"y"}, "", attribute("transA", 1)),
       node("Gemm", {"rows", "v"}, {"z"}, "", attribute("transA", 1)),
       initializer(integers("one", {1}, true)), initializer(integers("axes", {0})),
       weight("w", {1, 3}), weight("v", {2, 3}), input("x", {5, 2}), input("i", {}, i64),
       input("j", {}, i64), output("y"), output("z")}));
  EXPECT_EQ(m.warnings(), Strings{});
  EXPECT_EQ(m.shape("row"), (Shape{1, 2}));
  EXPECT_EQ(m.shape("rows"), (Shape{5, 2}));
}

TEST(OnnxImporter, NewerOpsetsAreReadWithAWarning) {
  const auto m =
      import_bytes(model({node("Relu", {"x"}, {"y"}), input("x", {8}), output("y")}, 99, 42));
  ASSERT_EQ(m.warnings().size(), 1u);
  EXPECT_NE(m.warnings()[0].find("opset 99"), std::string::npos);
}

// Written by scripts/export_models.py: operators in the forms they have from opset 18 on.
TEST(OnnxImporter, LaterOpsets) {
  const std::filesystem::path folder = std::filesystem::path(BERTH_TEST_DATA) / "onnx";
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    SCOPED_TRACE(entry.path().string());
    const InputFile file(entry.path().string());
    const auto m = import_bytes(std::string(file.text()));
    EXPECT_EQ(m.imported.unknown_tensors, 0u);
    EXPECT_EQ(m.imported.unknown_ops, 0u);
    EXPECT_EQ(m.imported.complaints, 0u);
    ++files;
  }
  EXPECT_EQ(files, 5u);
}

TEST(OnnxImporter, UnknownFieldsAreSteppedOver) {
  const auto m = import_bytes(model({node("Relu", {"x"}, {"y"}, "", bytes(77, "later")),
                                     input("x", {8}), output("y"), integer(99, 7)},
                                    17, 8, bytes(200, "more") + real(201, 1.5f)));
  EXPECT_EQ(m.graph().op_count(), 2u);
}

// Weights in files beside the model.
TEST(OnnxImporter, ExternalDataIsSizedByItsShape) {
  const Strings none;
  const auto m =
      import_bytes(model({node("MatMul", {"x", "w"}, {"h"}), node("MatMul", {"h", "v"}, {"k"}),
                          node("MatMul", {"k", "u"}, {"y"}),
                          initializer(external("w", f32, {40000, 40000},
                                               {{"location", "w.bin"}, {"offset", "0"}})),
                          initializer(external("v", f32, {40000, 40000},
                                               {{"location", "w.bin"}, {"offset", "0"}})),
                          initializer(external("u", f32, {40000, 40000},
                                               {{"location", "w.bin"}, {"offset", "6400000000"}})),
                          input("x", {8, 40000}), output("y")}),
                   {.dims = {}, .directory = "/nonexistent"});
  EXPECT_EQ(m.count("Variable"), 2u);  // w and v are the same bytes of the same file
  EXPECT_EQ(m.graph().param_bytes(m.op("w")), 6'400'000'000);
  EXPECT_EQ(m.warnings(), Strings{"\"m.onnx\": the file with weights is missing (\"w.bin\"); their "
                                  "sizes are taken from their shapes"});
}

TEST(OnnxImporter, ExternalDataStaysInItsFolder) {
  for (const char* location : {"/etc/passwd", "../secret", "a/../../b", "", "C:\\x", "..\\x"}) {
    const std::string message =
        refusal(model({node("Add", {"x", "w"}, {"y"}),
                       initializer(external("w", f32, {8}, {{"location", location}})),
                       input("x", {8}), output("y")}));
    EXPECT_NE(message.find("\"w\" is at"), std::string::npos) << location;
    EXPECT_NE(message.find("relative path without \"..\""), std::string::npos) << message;
  }
}

TEST(OnnxImporter, Sequences) {
  const Bytes sequence = bytes(4, bytes(1, tensor_type(f32, {4, 4})));
  const Bytes file =
      model({node("SequenceAt", {"s", "i"}, {"y"}), bytes(11, value_info("s", sequence)),
             initializer(integers("i", {0}, true)), output("y")});
  const auto m = import_bytes(file, {.dims = {{"s_length", 3}}, .directory = {}});
  EXPECT_EQ(m.bytes("s"), 3 * 64);
  EXPECT_EQ(m.shape("y"), (Shape{4, 4}));
  EXPECT_EQ(import_bytes(file).imported.unknown_tensors, 1u);
}

}  // namespace
}  // namespace berth
