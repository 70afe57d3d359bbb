// What training keeps per parameter, for every optimizer in 32 and in 16 bits.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "graph/graph_builder.h"
#include "graph/precision.h"
#include "graph/training.h"

namespace berth {
namespace {

constexpr std::int64_t kRows = 64;
constexpr std::int64_t kColumns = 32;
constexpr std::int64_t kElements = kRows * kColumns;

// x [8, 64] times w [64, 32] and a bias.
Graph one_layer(DType precision) {
  GraphBuilder builder("net");
  const auto add = [&](const char* name, const char* type, std::vector<std::int64_t> shape,
                       bool weight = false) {
    const OpId op = builder.add_op(name, type);
    if (weight) builder.set_param_bytes(op, tensor_bytes(shape, DType::f32));
    return builder.add_output(op, {.shape = shape, .dtype = DType::f32, .resident = weight});
  };
  const TensorRef x = add("x", "Input", {8, kRows});
  const TensorRef w = add("w", "Variable", {kRows, kColumns}, true);
  const TensorRef b = add("b", "Variable", {kColumns}, true);
  const TensorRef y = add("y", "MatMul", {8, kColumns});
  builder.add_input(y.op, x);
  builder.add_input(y.op, w);
  const TensorRef z = add("z", "Add", {8, kColumns});
  builder.add_input(z.op, y);
  builder.add_input(z.op, b);
  builder.add_graph_output(z);
  return in_precision(std::move(builder).build(), precision);
}

std::int64_t update_bytes(const Graph& graph, const char* op) {
  return graph.param_bytes(*graph.find_op(op));
}

struct Expected {
  Optimizer optimizer;
  int in_32_bits, in_16_bits;              // in all
  int state_in_32_bits, state_in_16_bits;  // of the update
};
constexpr Expected kExpected[] = {
    {Optimizer::sgd, 8, 4, 0, 0},       {Optimizer::momentum, 12, 6, 4, 2},
    {Optimizer::adam, 16, 16, 8, 12},   {Optimizer::adam16, 12, 8, 4, 4},
    {Optimizer::adam8bit, 10, 6, 2, 2},
};

TEST(Optimizers, BytesPerParameterAreThoseOfTheTable) {
  for (const Expected& expected : kExpected) {
    SCOPED_TRACE(optimizer_names()[static_cast<std::size_t>(expected.optimizer)]);
    for (const bool narrow : {false, true}) {
      const Graph graph = make_training_graph(one_layer(narrow ? DType::bf16 : DType::f32),
                                              {.optimizer = expected.optimizer});
      const int state = narrow ? expected.state_in_16_bits : expected.state_in_32_bits;
      EXPECT_EQ(update_bytes(graph, "w/update"), state * kElements);
      EXPECT_EQ(update_bytes(graph, "w"), (narrow ? 2 : 4) * kElements);
      const TrainingMemory memory = training_memory(expected.optimizer, graph);
      EXPECT_EQ(memory.total_bytes(), narrow ? expected.in_16_bits : expected.in_32_bits);
      EXPECT_EQ(memory.master_bytes + memory.moment_bytes, state);
    }
  }
}

TEST(Optimizers, AGradientIsATensorAndCountedOnce) {
  const Graph graph = make_training_graph(one_layer(DType::f16), {.optimizer = Optimizer::adam});
  std::int64_t kept = 0;
  for (std::size_t i = 0; i < graph.op_count(); ++i) kept += graph.param_bytes(OpId(i));
  EXPECT_EQ(kept, 14 * (kElements + kColumns));  // 2 of 16 bytes are the gradient
  const TensorId gradient = graph.first_output(*graph.find_op("y/grad_1"));
  EXPECT_EQ(graph.bytes(gradient), 2 * kElements);
  EXPECT_FALSE(graph.resident(gradient));
}

TEST(Optimizers, AdafactorKeepsASumARowAndAColumn) {
  for (const DType precision : {DType::f32, DType::f16}) {
    const Graph graph =
        make_training_graph(one_layer(precision), {.optimizer = Optimizer::adafactor});
    EXPECT_EQ(update_bytes(graph, "w/update"), 4 * (kRows + kColumns));
    EXPECT_EQ(update_bytes(graph, "b/update"), 4 * kColumns);  // a vector is not factored
  }
  EXPECT_EQ(training_memory(Optimizer::adafactor, 16).total_bytes(), 4);
}

TEST(Optimizers, SixteenBitModelsAreTrainedWithAdamUnlessToldOtherwise) {
  EXPECT_EQ(default_optimizer(one_layer(DType::f16)), Optimizer::adam);
  EXPECT_EQ(default_optimizer(one_layer(DType::f32)), Optimizer::sgd);
  // The answer is the same of the training graph.
  EXPECT_EQ(default_optimizer(make_training_graph(one_layer(DType::f16), {})), Optimizer::adam);
}

// Weights quantized to 4 bits that an adapter in f16 is trained on top of.
TEST(Optimizers, QuantizedWeightsDoNotDecideTheWidth) {
  GraphBuilder builder("adapter");
  const std::int64_t large[] = {1000};
  const std::int64_t small[] = {10};
  const OpId frozen = builder.add_op("frozen", "Variable");
  builder.add_output(frozen, {.shape = large, .dtype = DType::i4, .resident = true});
  const OpId trained = builder.add_op("trained", "Variable");
  builder.add_output(trained, {.shape = small, .dtype = DType::f16, .resident = true});
  const Graph graph = std::move(builder).build();
  EXPECT_EQ(training_memory(default_optimizer(graph), graph).weight_bytes, 2);
}

TEST(Optimizers, TheAnswerSaysWhatIsKept) {
  EXPECT_EQ(training_memory_text(training_memory(Optimizer::adam, 16)),
            "16 bytes per parameter (adam): 16-bit weights and gradients, 32-bit master weights "
            "and two 32-bit moments");
  EXPECT_EQ(training_memory_text(training_memory(Optimizer::adam, 32)),
            "16 bytes per parameter (adam): 32-bit weights and gradients and two 32-bit moments");
  EXPECT_EQ(training_memory_text(training_memory(Optimizer::sgd, 32)),
            "8 bytes per parameter (sgd): 32-bit weights and gradients");
}

TEST(Optimizers, TheTableOfTheDocumentationIsThatOfTheCode) {
  std::ifstream file(BERTH_TEST_DATA "/../../docs/execution.md");
  std::stringstream text;
  text << file.rdbuf();
  const auto cell = [](const TrainingMemory& memory, bool factored) {
    std::string sum =
        std::to_string(memory.weight_bytes) + " + " + std::to_string(memory.gradient_bytes);
    if (memory.master_bytes > 0) sum += " + " + std::to_string(memory.master_bytes);
    if (memory.moment_bytes > 0) sum += " + " + std::to_string(memory.moment_bytes);
    return sum + " = " + std::to_string(memory.total_bytes()) + (factored ? " and the sums" : "");
  };
  for (std::size_t i = 0; i < optimizers().size(); ++i) {
    const auto optimizer = static_cast<Optimizer>(i);
    const OptimizerFacts& facts = optimizers()[i];
    const std::string row = "| `" + std::string(facts.name) + "` | " +
                            cell(training_memory(optimizer, 32), facts.factored) + " | " +
                            cell(training_memory(optimizer, 16), facts.factored) + " |";
    EXPECT_NE(text.str().find(row), std::string::npos) << row;
  }
}

}  // namespace
}  // namespace berth
