// Files that are wrong: one sentence each, and never a crash.
#include "frontends/onnx/import_test_case.h"

namespace berth {
namespace {

using namespace onnx_writer;

TEST(OnnxHostile, Sentences) {
  EXPECT_EQ(refusal(""), "\"m.onnx\" is empty; an ONNX model was expected");
  EXPECT_EQ(refusal("version https://git-lfs.github.com/spec/v1\n"),
            "\"m.onnx\" is a Git LFS pointer, not the model itself; fetch it with git lfs pull");
  EXPECT_EQ(
      refusal(integer(1, 8)),
      "\"m.onnx\" is not an ONNX model: it has no graph; a model is a ModelProto of onnx.proto");
  EXPECT_EQ(refusal("{\"format\": 1}"),
            "\"m.onnx\", byte 0: a field has a type that is not used in ONNX files; the file is "
            "damaged, cut off or not an ONNX model");
  EXPECT_EQ(refusal(varint(7 << 3 | 2) + varint(1000) + "abc"),
            "\"m.onnx\", byte 0: a field says it has 1000 bytes where only 3 are left; the file is "
            "damaged, cut off or not an ONNX model");
  EXPECT_EQ(refusal(model({input("x", {8}), output("x")})),
            "\"m.onnx\": the graph has no nodes, so there is nothing to place");
  EXPECT_EQ(refusal(model({node("Relu", {"nobody"}, {"y"}, "r"), output("y")})),
            "\"m.onnx\": node \"r\" (Relu) reads \"nobody\", which no node, input or initializer "
            "makes");
  EXPECT_EQ(
      refusal(model({node("Relu", {"x"}, {"y"}), input("x", {8}), output("z")})),
      "\"m.onnx\": the list of graph outputs reads \"z\", which no node, input or initializer "
      "makes");
  EXPECT_EQ(refusal(model({node("Relu", {"x"}, {"y"}, "a"), node("Relu", {"x"}, {"y"}, "b"),
                           input("x", {8}), output("y")})),
            "\"m.onnx\": node \"a\" (Relu) and node \"b\" (Relu) both make \"y\"; a tensor can "
            "have only one producer");
  EXPECT_EQ(
      refusal(model({node("Relu", {"x"}, {"x"}, "a"), input("x", {8}), output("x")})),
      "\"m.onnx\": nodes wait for each other's outputs, among them node \"a\" (Relu); a graph "
      "must be acyclic");
  EXPECT_EQ(refusal(model({node("Relu", {"z"}, {"x"}, "a"), input("x", {8}), input("z", {8})})),
            "\"m.onnx\": node \"a\" (Relu) makes \"x\", but an input or initializer of the graph "
            "already has this name");
  EXPECT_EQ(refusal(model({node("Add", {"b", "x"}, {"a"}, "one"), node("Relu", {"a"}, {"b"}, "two"),
                           input("x", {8}), output("b")})),
            "\"m.onnx\": nodes wait for each other's outputs, among them node \"one\" (Add) and "
            "node \"two\" (Relu); a graph must be acyclic");
  EXPECT_EQ(refusal(model({node("If", {"c"}, {"y"}, "if"), input("c", {}, boolean), output("y")})),
            "\"m.onnx\": node \"if\" (If) lacks its attribute \"then_branch\", a graph");
}

TEST(OnnxHostile, Weights) {
  const auto with = [](const Bytes& tensor) {
    return refusal(
        model({node("Add", {"x", "w"}, {"y"}), initializer(tensor), input("x", {8}), output("y")}));
  };
  EXPECT_EQ(with(tensor("w", f32, {1000, 1000}, "abcd")),
            "\"m.onnx\": the tensor \"w\" holds 4 bytes, but its shape [1000, 1000] needs 4000000");
  EXPECT_EQ(with(tensor("w", f32, {-5}, "")),
            "\"m.onnx\": the tensor \"w\" has the shape [-5], which is not a valid shape");
  EXPECT_EQ(
      with(tensor("w", f32, {INT64_MAX, 2}, "")),
      "\"m.onnx\": the tensor \"w\" has the shape [9223372036854775807, 2], which is not a valid "
      "shape");
  EXPECT_EQ(with(tensor("w", f32, {INT64_MAX}, "")),
            "\"m.onnx\": the tensor \"w\" of shape [9223372036854775807] has more bytes than fit "
            "in 63 bits");
  EXPECT_NE(with(tensor("w", f32, {INT64_MAX / 8}, "")).find("add up to more bytes than fit"),
            std::string::npos);
}

TEST(OnnxHostile, DeepNesting) {
  Bytes body = graph({node("Relu", {"x"}, {"y"}), output("y")});
  for (int i = 0; i < 200; ++i) {
    body = graph(
        {node("If", {"c"}, {"y"}, "",
              attribute_graph("then_branch", body) +
                  attribute_graph("else_branch", body.size() < 2000 ? body : graph({output("x")}))),
         output("y")});
  }
  EXPECT_NE(refusal(integer(1, 8) + bytes(8, integer(2, 17)) +
                    bytes(7, body + input("x", {8}) + input("c", {}, boolean)))
                .find("graphs are nested too deeply"),
            std::string::npos);
  Bytes type = tensor_type(f32, {8});
  for (int i = 0; i < 1000; ++i) type = bytes(4, bytes(1, type));
  EXPECT_NE(refusal(model({node("Relu", {"x"}, {"y"}), bytes(11, value_info("x", type))}))
                .find("types are nested too deeply"),
            std::string::npos);
}

// Every prefix of a model is refused or read, never more than that.
TEST(OnnxHostile, Truncation) {
  const Bytes branch = graph({node("MatMul", {"x", "w"}, {"o"}), weight("w", {4, 4}), output("o")});
  const Bytes file = model(
      {node("If", {"c"}, {"h"}, "if",
            attribute_graph("then_branch", branch) + attribute_graph("else_branch", branch)),
       node("F", {"h"}, {"y"}, "f", domain("l") + attribute("axis", 1)), input("x", {2, 4}),
       input("c", {}, boolean), output("y", {2, 4})},
      17, 8,
      function("l", "F", {"a"}, {"b"},
               {node("Softmax", {"a"}, {"b"}, "", attribute_reference("axis", "axis"))}, {"axis"}));
  EXPECT_EQ(import_bytes(file).warnings(), Strings{});
  for (std::size_t length = 0; length < file.size(); ++length) {
    thrown([&] { import_bytes(file.substr(0, length)); });
  }
  for (std::size_t at = 0; at < file.size(); ++at) {
    for (const int change : {1, 0x40, 0x80, 0xff}) {
      Bytes damaged = file;
      damaged[at] = static_cast<char>(damaged[at] ^ change);
      thrown([&] { import_bytes(damaged, {.dims = {}, .directory = {}, .most_nodes = 10000}); });
    }
  }
}

}  // namespace
}  // namespace berth
