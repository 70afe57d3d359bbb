// Sizes past 63 bits: an error that names the tensor, never a tensor of 0 bytes.
#include "frontends/onnx/import_test_case.h"

namespace berth {
namespace {

using namespace onnx_writer;

constexpr std::int64_t kHalf = INT64_C(1) << 62;

onnx::ImportOptions with(std::int64_t batch) {
  return {.dims = {{"batch", batch}}, .directory = {}};
}

Bytes product(Element element = f32) {
  return model({node("MatMul", {"x", "w"}, {"h"}, "mm"), node("Relu", {"h"}, {"y"}, "relu"),
                weight("w", {1, 64}), input("x", {"batch", 1}, element), output("y")});
}

TEST(OnnxTooLarge, AnInput) {
  EXPECT_EQ(refusal(product(), with(INT64_MAX)),
            "\"m.onnx\": the tensor \"x\" of shape [9223372036854775807, 1] has more bytes than "
            "fit in 63 bits");
}

TEST(OnnxTooLarge, AnOutput) {
  EXPECT_EQ(refusal(product(), with(10'000'000'000'000'000 * 10)),
            "\"m.onnx\": node \"mm\" (MatMul): the tensor \"h\" of shape [100000000000000000, 64] "
            "has more bytes than fit in 63 bits");
}

TEST(OnnxTooLarge, ASum) {
  EXPECT_EQ(
      refusal(product(), with((INT64_C(1) << 54) - 1)),
      "\"m.onnx\": the sizes of the graph up to \"relu\" add up to more bytes than fit in 63 bits");
}

TEST(OnnxTooLarge, ADimension) {
  const Bytes file = model({node("Concat", {"x", "x"}, {"y"}, "twice", attribute("axis", 0)),
                            input("x", {"batch"}, i8), output("y")});
  EXPECT_EQ(
      refusal(file, with(kHalf)),
      "\"m.onnx\": node \"twice\" (Concat): the tensor \"y\" has more bytes than fit in 63 bits");
}

// Computed in the graph, and no shape says it.
TEST(OnnxTooLarge, AShapeThatIsComputed) {
  const Bytes file = model({node("Shape", {"x"}, {"s"}), node("Mul", {"s", "four"}, {"t"}),
                            node("ConstantOfShape", {"t"}, {"zeros"}, "zeros"),
                            node("Add", {"zeros", "v"}, {"y"}), initializer(integers("four", {4})),
                            input("x", {"batch"}, i8), input("v", {1}), output("y")});
  EXPECT_EQ(import_bytes(file, with(2)).shape("y"), Shape{8});
  EXPECT_NE(
      refusal(file, with(kHalf)).find("node \"zeros\" (ConstantOfShape): the tensor \"zeros\""),
      std::string::npos);
}

// A row an iteration, in the body of a loop and beside it.
TEST(OnnxTooLarge, InALoop) {
  const auto loop = [](const Bytes& trips) {
    const Bytes body = graph({node("Concat", {"v", "x"}, {"v_out"}, "grow", attribute("axis", 0)),
                              node("Identity", {"go"}, {"go_out"}), bytes(11, bytes(1, "i")),
                              bytes(11, bytes(1, "go")), bytes(11, bytes(1, "v")), output("go_out"),
                              output("v_out")});
    return model({node("Loop", {"m", "", "x"}, {"y"}, "loop", attribute_graph("body", body)), trips,
                  input("x", {"batch"}, i8), output("y")});
  };
  const Bytes thousand = initializer(integers("m", {1000}, true));
  EXPECT_EQ(import_bytes(loop(thousand), with(3)).shape("loop"), Shape{3003});
  EXPECT_NE(refusal(loop(thousand), with(INT64_C(1) << 60))
                .find("node \"loop\" (Loop): the tensor "
                      "\"y\""),
            std::string::npos);
  EXPECT_NE(refusal(loop(thousand), with(kHalf)).find("node \"grow\" (Concat)"), std::string::npos);
}

TEST(OnnxTooLarge, ASequence) {
  const Bytes sequence = bytes(4, bytes(1, tensor_type(f32, {4, 4})));
  const Bytes file =
      model({node("SequenceAt", {"s", "i"}, {"y"}), bytes(11, value_info("s", sequence)),
             initializer(integers("i", {0}, true)), output("y")});
  EXPECT_EQ(refusal(file, {.dims = {{"s_length", kHalf}}, .directory = {}}),
            "\"m.onnx\": the tensor \"s\" has more bytes than fit in 63 bits");
}

// Packed two to a byte this still fits.
TEST(OnnxTooLarge, IsNotWhatFits) {
  const Bytes file =
      model({node("Identity", {"x"}, {"y"}), input("x", {"batch"}, i4), output("y")}, 21, 10);
  EXPECT_EQ(import_bytes(file, with(kHalf)).bytes("x"), kHalf / 2);
}

}  // namespace
}  // namespace berth
