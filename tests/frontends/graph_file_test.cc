#include "frontends/graph_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "frontends/graph_equality.h"

namespace berth {
namespace {

// The example of the format's description, word for word.
constexpr std::string_view kExample = R"({"format": "berth.graph", "version": 1, "name": "tiny",
 "ops": [
  {"name": "x",  "type": "Input", "outputs": [{"bytes": 4096, "shape": [8, 128], "dtype": "f32"}], "seconds": {"cpu": 0, "gpu": 0}},
  {"name": "mm", "type": "MatMul", "inputs": ["x:0"], "outputs": [{"bytes": 4096}],
   "flops": 2.1e6, "param_bytes": 65536, "temp_bytes": 0,
   "colocate": "layer1", "devices": ["gpu"], "after": ["x"],
   "seconds": {"cpu": 1e-3, "gpu": 5e-5}}],
 "outputs": ["mm:0"]})";

Graph parse(const std::string& ops, const std::string& rest = "") {
  return parse_graph(
      fmt::format(R"({{"format": "berth.graph", "version": 1, "ops": [{}]{}}})", ops, rest), "g");
}

TEST(GraphFile, ReadsTheExampleOfTheFormat) {
  std::vector<std::string> warnings;
  const Graph graph = parse_graph(kExample, "g", &warnings);
  EXPECT_TRUE(warnings.empty());
  EXPECT_EQ(graph.name(), "tiny");
  ASSERT_EQ(graph.op_count(), 2u);
  const OpId x(0), mm(1);
  EXPECT_EQ(graph.op_name(x), "x");
  EXPECT_EQ(graph.op_type(mm), "MatMul");
  EXPECT_EQ(graph.flops(mm), 2.1e6);
  EXPECT_EQ(graph.param_bytes(mm), 65536);
  EXPECT_EQ(graph.temp_bytes(mm), 0);
  ASSERT_EQ(graph.inputs(mm).size(), 1u);
  EXPECT_EQ(graph.inputs(mm)[0], graph.output(x, 0));
  ASSERT_EQ(graph.after(mm).size(), 1u);
  EXPECT_EQ(graph.after(mm)[0], x);
  EXPECT_EQ(graph.colocation_label(x), Graph::kNone);
  EXPECT_EQ(graph.colocation_labels()[graph.colocation_label(mm)], "layer1");
  EXPECT_EQ(graph.device_set(x), Graph::kNone);
  EXPECT_EQ(graph.device_sets()[graph.device_set(mm)], std::vector<std::string>{"gpu"});
  ASSERT_EQ(graph.given_seconds(mm).size(), 2u);
  EXPECT_EQ(graph.seconds_keys()[graph.given_seconds(mm)[1].key], "gpu");
  EXPECT_EQ(graph.given_seconds(mm)[1].seconds, 5e-5);
  const TensorId data = graph.output(x, 0);
  EXPECT_EQ(graph.bytes(data), 4096);
  EXPECT_EQ(graph.shape(data).size(), 2u);
  EXPECT_EQ(graph.dtype(data), DType::f32);
  EXPECT_FALSE(graph.has_shape(graph.output(mm, 0)));
  EXPECT_FALSE(graph.is_graph_output(data));
  EXPECT_TRUE(graph.is_graph_output(graph.output(mm, 0)));
}

TEST(GraphFile, KeysAndOpsComeInAnyOrder) {
  const Graph graph = parse_graph(
      R"({"outputs": ["b"], "ops": [
          {"outputs": [{"dtype": "f16", "shape": [3]}], "inputs": ["a"], "type": "Relu", "name": "b"},
          {"type": "Input", "outputs": [{"bytes": 1}], "name": "a"}],
          "version": 1, "format": "berth.graph"})",
      "g");
  EXPECT_EQ(graph.op_name(OpId(0)), "b");
  EXPECT_EQ(graph.bytes(graph.output(OpId(0), 0)), 6);
  EXPECT_EQ(graph.topological_order()[0], OpId(1));
}

TEST(GraphFile, WhatIsLeftOutHasItsDefault) {
  const Graph graph = parse(R"({"name": "a", "type": "T"})");
  EXPECT_EQ(graph.name(), "");
  EXPECT_EQ(graph.output_count(OpId(0)), 0u);
  EXPECT_TRUE(graph.inputs(OpId(0)).empty());
  EXPECT_EQ(graph.flops(OpId(0)), 0);
  EXPECT_EQ(graph.layer(OpId(0)), Graph::kNone);
  EXPECT_TRUE(graph.graph_outputs().empty());
}

TEST(GraphFile, QuantitiesMayHaveUnits) {
  const Graph graph = parse(
      R"({"name": "a", "type": "T", "outputs": [{"bytes": "4KiB"}], "param_bytes": "1.5GB",
          "temp_bytes": 2e3, "flops": "2GFLOPS", "seconds": {"gpu": "10us"}})");
  EXPECT_EQ(graph.bytes(TensorId(0)), 4096);
  EXPECT_EQ(graph.param_bytes(OpId(0)), 1'500'000'000);
  EXPECT_EQ(graph.temp_bytes(OpId(0)), 2000);
  EXPECT_EQ(graph.flops(OpId(0)), 2e9);
  EXPECT_EQ(graph.given_seconds(OpId(0))[0].seconds, 10 / 1e6);
}

TEST(GraphFile, SizesAreExactTo63Bits) {
  const Graph graph = parse(R"({"name": "a", "type": "T", "param_bytes": 9223372036854775806})");
  EXPECT_EQ(graph.param_bytes(OpId(0)), 9223372036854775806);
}

TEST(GraphFile, BytesWinOverShape) {
  const Graph graph = parse(
      R"({"name": "a", "type": "T", "outputs": [{"bytes": 512, "shape": [3], "dtype": "f32"}]})");
  EXPECT_EQ(graph.bytes(TensorId(0)), 512);
}

TEST(GraphFile, ShapeAndDtypeGiveBytes) {
  const Graph graph = parse(
      R"({"name": "a", "type": "T", "outputs": [
          {"shape": [], "dtype": "f64"}, {"shape": [5, 0], "dtype": "f32"},
          {"shape": [3], "dtype": "i4"}]})");
  EXPECT_EQ(graph.bytes(TensorId(0)), 8);
  EXPECT_TRUE(graph.has_shape(TensorId(0)));
  EXPECT_EQ(graph.bytes(TensorId(1)), 0);
  EXPECT_EQ(graph.bytes(TensorId(2)), 2);
}

TEST(GraphFile, ResidentAndAlias) {
  const Graph graph = parse(
      R"({"name": "w", "type": "Variable", "outputs": [{"bytes": 8, "resident": true}]},
         {"name": "v", "type": "Reshape", "inputs": ["w"], "outputs": [{"bytes": 8, "alias": 0}]},
         {"name": "u", "type": "T", "outputs": [{"bytes": 8, "resident": false}]})");
  EXPECT_TRUE(graph.resident(TensorId(0)));
  EXPECT_EQ(graph.alias(TensorId(0)), Graph::kNone);
  EXPECT_EQ(graph.alias(TensorId(1)), 0u);
  EXPECT_FALSE(graph.resident(TensorId(2)));
}

TEST(GraphFile, AReferenceIsFirstTheNameOfAnOp) {
  // "a:1" is an op here, so it is not output 1 of "a"; "a:1:0" is its output 0.
  const Graph graph = parse(
      R"({"name": "a", "type": "T", "outputs": [{"bytes": 1}, {"bytes": 2}]},
         {"name": "a:1", "type": "T", "outputs": [{"bytes": 3}]},
         {"name": "r", "type": "T", "inputs": ["a:1", "a:0", "a", "a:1:0", "a:01"]})");
  std::vector<std::int64_t> bytes;
  for (const TensorId tensor : graph.inputs(OpId(2))) bytes.push_back(graph.bytes(tensor));
  EXPECT_EQ(bytes, (std::vector<std::int64_t>{3, 1, 1, 3, 2}));
}

TEST(GraphFile, ANameMayComeAfterItsUse) {
  const Graph graph = parse(
      R"({"name": "r", "type": "T", "inputs": ["a:0"], "after": ["b:7"]},
         {"name": "a", "type": "T", "outputs": [{"bytes": 1}]},
         {"name": "b:7", "type": "T"})");
  EXPECT_EQ(graph.inputs(OpId(0))[0], TensorId(0));
  EXPECT_EQ(graph.after(OpId(0))[0], OpId(2));
}

TEST(GraphFile, AnInputMayBeListedTwice) {
  const Graph graph = parse(
      R"({"name": "a", "type": "T", "outputs": [{"bytes": 1}]},
         {"name": "square", "type": "Mul", "inputs": ["a", "a:0"], "after": ["a", "a"]})",
      R"(, "outputs": ["a", "a:0"])");
  EXPECT_EQ(graph.inputs(OpId(1)).size(), 2u);
  EXPECT_EQ(graph.consumers(TensorId(0)).size(), 1u);
  EXPECT_EQ(graph.graph_outputs().size(), 1u);
}

TEST(GraphFile, NamesMayBeAnything) {
  const Graph graph = parse(
      R"({"name": "\u00e9\n\"\\", "type": "T", "outputs": [{"bytes": 1}]},
         {"name": "é\n", "type": "T", "inputs": ["é\n\u0022\\:0"]})");
  EXPECT_EQ(graph.op_name(OpId(0)), "\u00e9\n\"\\");
  EXPECT_EQ(graph.inputs(OpId(1))[0], TensorId(0));
}

std::string refusal(const std::string& text) {
  try {
    parse_graph(text, "g");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(GraphFile, UnknownKeysOfOpsAndOutputsAreRefused) {
  EXPECT_EQ(refusal(R"({"format": "berth.graph", "version": 1, "ops": [
  {"name": "a", "type": "T", "param_byte": 1}]})"),
            "g:2:30: the key \"param_byte\" of an op is unknown; did you mean \"param_bytes\"? (in "
            "op \"a\")");
  EXPECT_EQ(
      refusal(R"({"format": "berth.graph", "version": 1, "ops": [
  {"name": "a", "type": "T", "outputs": [{"bytes": 1, "residnt": true}]}]})"),
      "g:2:55: the key \"residnt\" of an output is unknown; did you mean \"resident\"? (in op "
      "\"a\")");
  EXPECT_EQ(refusal(R"({"format": "berth.graph", "version": 1, "ops": [
  {"name": "a", "type": "T", "outputs": [{"bytes": 1, "zzz": true}]}]})"),
            "g:2:55: the key \"zzz\" of an output is unknown; known are bytes, shape, dtype, "
            "resident and alias (in op \"a\")");
}

TEST(GraphFile, UnknownKeysOfTheGraphAreNotesUnlessMisspelt) {
  const std::string ops = R"("ops": [{"name": "a", "type": "T"}]})";
  std::vector<std::string> warnings;
  parse_graph(R"({"format": "berth.graph", "version": 1, "author": {"x": [1]}, )" + ops, "g",
              &warnings);
  EXPECT_EQ(
      warnings,
      (std::vector<std::string>{"g:1:41: the key \"author\" of a graph is unknown and ignored"}));
  // A longer word is another word, not a known one misspelt.
  warnings.clear();
  parse_graph(R"({"format": "berth.graph", "version": 1, "opset": 17, )" + ops, "g", &warnings);
  EXPECT_EQ(
      warnings,
      (std::vector<std::string>{"g:1:41: the key \"opset\" of a graph is unknown and ignored"}));
  EXPECT_EQ(refusal(R"({"format": "berth.graph", "version": 1, "output": ["a"], )" + ops),
            "g:1:41: the key \"output\" of a graph is unknown; did you mean \"outputs\"?");
}

TEST(GraphFile, ManyUnknownKeysAreCounted) {
  std::string notes;
  for (int i = 0; i < 25; ++i) notes += fmt::format(R"("extra key {}": 0, )", i);
  std::vector<std::string> warnings;
  parse_graph(R"({"format": "berth.graph", "version": 1, )" + notes +
                  R"("ops": [{"name": "a", "type": "T"}]})",
              "g", &warnings);
  ASSERT_EQ(warnings.size(), 21u);
  EXPECT_EQ(warnings.back(), "g:1:411: 5 more keys of a graph are unknown and ignored");
}

}  // namespace
}  // namespace berth
