// What a graph becomes in another precision: whose bytes change, and whose do not.
#include "graph/precision.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/thrown.h"
#include "graph/graph_builder.h"

namespace berth {
namespace {

// ids and a table, a product with weights of its own and workspace, and its like in other types.
Graph mixed_types() {
  GraphBuilder builder("sample");
  const std::int64_t rows[] = {8};
  const std::int64_t table[] = {100, 4};
  const auto add = [&](const char* name, const char* type, DType dtype) {
    const OpId op = builder.add_op(name, type);
    builder.add_output(op, {.shape = rows, .dtype = dtype});
    return op;
  };
  add("ids", "Input", DType::i64);
  const OpId weights = builder.add_op("weights", "Variable");
  builder.set_param_bytes(weights, 1600 + 7);  // seven more that are no weights
  builder.add_output(weights, {.shape = table, .dtype = DType::f32, .resident = true});
  const OpId product = add("product", "MatMul", DType::f32);
  builder.set_param_bytes(product, 400);
  builder.set_temp_bytes(product, 41);
  add("half", "MatMul", DType::f16);
  add("double", "MatMul", DType::f64);
  add("mask", "Not", DType::boolean);
  const OpId untyped = builder.add_op("untyped", "MatMul");
  builder.add_output(untyped, {.bytes = 64});
  const OpId update = add("update", "Adam", DType::f32);
  builder.set_param_bytes(update, 3200);
  return std::move(builder).build();
}

std::int64_t bytes_of(const Graph& graph, const char* op) {
  return graph.bytes(graph.first_output(*graph.find_op(op)));
}
DType dtype_of(const Graph& graph, const char* op) {
  return graph.dtype(graph.first_output(*graph.find_op(op)));
}
std::int64_t resident_bytes(const Graph& graph, const char* op) {
  return graph.param_bytes(*graph.find_op(op));
}

TEST(Precision, SixteenBitsTakeHalfTheBytesOfF32) {
  const Graph graph = in_precision(mixed_types(), DType::bf16);
  EXPECT_EQ(graph.precision(), DType::bf16);
  EXPECT_EQ(bytes_of(graph, "weights"), 800);
  EXPECT_EQ(dtype_of(graph, "weights"), DType::bf16);
  EXPECT_EQ(resident_bytes(graph, "weights"), 807);
  EXPECT_EQ(bytes_of(graph, "product"), 16);
  EXPECT_EQ(resident_bytes(graph, "product"), 200);
  EXPECT_EQ(graph.temp_bytes(*graph.find_op("product")), 21);
  // The same width by another name.
  EXPECT_EQ(bytes_of(graph, "half"), 16);
  EXPECT_EQ(dtype_of(graph, "half"), DType::bf16);
}

TEST(Precision, IntegersTruthValuesDoublesAndOptimizerStateStay) {
  const Graph before = mixed_types();
  for (const DType precision : {DType::f16, DType::i8}) {
    const Graph graph = in_precision(mixed_types(), precision);
    for (const char* op : {"ids", "double", "mask", "untyped"}) {
      EXPECT_EQ(bytes_of(graph, op), bytes_of(before, op)) << op;
      EXPECT_EQ(dtype_of(graph, op), dtype_of(before, op)) << op;
    }
    EXPECT_EQ(resident_bytes(graph, "update"), 3200);
  }
  EXPECT_EQ(count_untyped(before), 1u);
}

TEST(Precision, OneByteInI8AndFourInF32AndTf32) {
  EXPECT_EQ(bytes_of(in_precision(mixed_types(), DType::i8), "product"), 8);
  for (const DType precision : {DType::f32, DType::tf32}) {
    const Graph graph = in_precision(mixed_types(), precision);
    EXPECT_EQ(graph.precision(), precision);
    EXPECT_EQ(bytes_of(graph, "product"), 32);
    EXPECT_EQ(bytes_of(graph, "half"), 32);
    EXPECT_EQ(dtype_of(graph, "half"), DType::f32);
  }
}

TEST(Precision, ASizeThatNoLongerFitsIsRefused) {
  GraphBuilder builder("large");
  const OpId op = builder.add_op("op", "Relu");
  builder.add_output(op, {.bytes = std::int64_t{1} << 62, .dtype = DType::f16});
  const Graph graph = std::move(builder).build();
  EXPECT_THROW(in_precision(graph, DType::f32), InputError);
  EXPECT_EQ(bytes_of(in_precision(graph, DType::i8), "op"), std::int64_t{1} << 61);
}

TEST(Precision, AnUnknownNameIsAnsweredWithTheKnownOnes) {
  EXPECT_EQ(parse_precision("bf16"), DType::bf16);
  EXPECT_EQ(thrown([] { parse_precision("fp16"); }),
            "there is no precision \"fp16\"; valid are f32, tf32, f16, bf16 and i8; did you mean "
            "\"f16\"?");
  EXPECT_THROW(parse_precision("f64"), InputError);
}

}  // namespace
}  // namespace berth
