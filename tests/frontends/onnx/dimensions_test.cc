// Open dimensions: which there are, and the sentences about them.
#include "frontends/onnx/dimensions.h"

#include "frontends/onnx/import_test_case.h"

namespace berth {
namespace {

using namespace onnx_writer;

const Bytes& two_inputs() {
  static const Bytes file =
      model({node("Add", {"ids", "mask"}, {"h"}), node("Relu", {"h"}, {"y"}, "relu"),
             input("ids", {"batch", "seq"}), input("mask", {"batch", "seq"}),
             output("y", {"batch", "out"})});
  return file;
}

TEST(OnnxDimensions, AreSetByName) {
  const auto m =
      import_bytes(two_inputs(), {.dims = {{"batch", 8}, {"seq", 128}}, .directory = {}});
  EXPECT_EQ(m.shape("relu"), (Shape{8, 128}));
  EXPECT_EQ(m.warnings(), Strings{});
}

TEST(OnnxDimensions, UnsetOnesAreListed) {
  EXPECT_EQ(refusal(two_inputs()),
            "\"m.onnx\" leaves 2 dimensions of its inputs open: \"batch\" (axis 0 of \"ids\" and "
            "axis 0 of \"mask\") and \"seq\" (axis 1 of \"ids\" and axis 1 of \"mask\")");
  EXPECT_EQ(refusal(two_inputs(), {.dims = {{"seq", 7}}, .directory = {}}),
            "\"m.onnx\" leaves a dimension of its inputs open: \"batch\" (axis 0 of \"ids\" and "
            "axis 0 of \"mask\")");
}

TEST(OnnxDimensions, UnsetOnesAreToldAsData) {
  try {
    import_bytes(two_inputs());
    FAIL() << "nothing was thrown";
  } catch (const onnx::OpenDimensionError& error) {
    EXPECT_EQ(error.code(), ErrorCode::open_dimension);
    EXPECT_EQ(error.subject(), "batch");
    EXPECT_EQ(error.place(), "m.onnx");
    ASSERT_EQ(error.dimensions().size(), 2u);
    EXPECT_EQ(error.dimensions()[1].name, "seq");
    EXPECT_EQ(error.dimensions()[1].axis, 1u);
  }
}

TEST(OnnxDimensions, UnknownNamesAnswerWithTheKnown) {
  EXPECT_EQ(refusal(two_inputs(), {.dims = {{"bach", 8}, {"seq", 7}}, .directory = {}}),
            "\"m.onnx\" has no dimension \"bach\"; its open dimensions are \"batch\", \"seq\" and "
            "\"out\"; did you mean \"batch\"?");
  EXPECT_EQ(refusal(model({node("Relu", {"x"}, {"y"}), input("x", {8}), output("y")}),
                    {.dims = {{"batch", 8}}, .directory = {}}),
            "\"m.onnx\" has no dimension \"batch\": all its dimensions have a size already");
}

TEST(OnnxDimensions, WithoutANameTheyHaveTheirInputsAndAxis) {
  const Bytes file =
      model({node("Relu", {"x"}, {"y"}, "relu"), input("x", {"", "?", -1, 5}), output("y")});
  const auto m =
      import_bytes(file, {.dims = {{"x_0", 2}, {"x_1", 3}, {"x_2", 6}}, .directory = {}});
  EXPECT_EQ(m.shape("relu"), (Shape{2, 3, 6, 5}));
  EXPECT_NE(refusal(file).find("\"x_0\" (axis 0 of \"x\"), \"x_1\" (axis 1"), std::string::npos);
}

// An empty input, such as the keys of a text of which nothing was said yet.
TEST(OnnxDimensions, MayBeZero) {
  const Bytes file = model({node("Concat", {"past", "x"}, {"y"}, "concat", attribute("axis", 0)),
                            input("past", {0, 5}), input("x", {"batch", 5}), output("y")});
  const auto m = import_bytes(file, {.dims = {{"batch", 8}}, .directory = {}});
  EXPECT_EQ(m.shape("past"), (Shape{0, 5}));
  EXPECT_EQ(m.shape("concat"), (Shape{8, 5}));
  EXPECT_EQ(
      m.warnings(),
      Strings{"\"m.onnx\": the input \"past\" is empty, because the file gives it a dimension of "
              "size 0; if any size is allowed, give the dimension \"past_0\" a size"});

  const auto set = import_bytes(file, {.dims = {{"batch", 8}, {"past_0", 3}}, .directory = {}});
  EXPECT_EQ(set.shape("concat"), (Shape{11, 5}));
  EXPECT_EQ(set.warnings(), Strings{});

  const auto none = import_bytes(file, {.dims = {{"batch", 0}, {"past_0", 0}}, .directory = {}});
  EXPECT_EQ(none.shape("concat"), (Shape{0, 5}));
  EXPECT_EQ(none.warnings(), Strings{});
}

// The name of a dimension further in may be set, and then says what nothing else does.
TEST(OnnxDimensions, OfOutputsMayBeSet) {
  const Bytes file = model({node("Reshape", {"x", "to"}, {"y"}, "r"), input("x", {8}),
                            input("to", {2}, i64), output("y", {2, "found"})});
  EXPECT_EQ(import_bytes(file).imported.unknown_tensors, 1u);
  const auto m = import_bytes(file, {.dims = {{"found", 4}}, .directory = {}});
  EXPECT_EQ(m.shape("r"), (Shape{2, 4}));
}

TEST(OnnxDimensions, HostileNamesDoNotReachTheTerminal) {
  const std::string message =
      refusal(model({node("Relu", {"x"}, {"y"}), input("x", {"a\x1b[31m"}), output("y")}));
  for (const char c : message) EXPECT_GE(static_cast<unsigned char>(c), 0x20);
}

}  // namespace
}  // namespace berth
