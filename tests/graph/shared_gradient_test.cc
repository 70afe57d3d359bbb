// Gradients of tensors that several ops read, where one gradient op serves several of them.
#include <gtest/gtest.h>

#include "graph/graph_builder.h"
#include "graph/training.h"

namespace berth {
namespace {

// out = type(type(left, right), left), with left and right made of one weight each. Going back,
// left has a gradient already when that of the inner op arrives.
Graph left_read_twice(std::string_view type, std::int64_t inner, std::int64_t outer) {
  GraphBuilder builder("shared");
  const auto add = [&](std::string_view name, std::string_view op_type,
                       const std::vector<TensorRef>& inputs, std::int64_t width, bool resident) {
    const OpId op = builder.add_op(std::string(name), op_type);
    for (const TensorRef input : inputs) builder.add_input(op, input);
    const std::vector<std::int64_t> shape = {4, width};
    return builder.add_output(
        op, {.shape = shape, .has_shape = true, .dtype = DType::f32, .resident = resident});
  };
  const TensorRef left_weights = add("left_weights", "Variable", {}, 8, true);
  const TensorRef right_weights = add("right_weights", "Variable", {}, 8, true);
  const TensorRef left = add("left", "Relu", {left_weights}, 8, false);
  const TensorRef right = add("right", "Relu", {right_weights}, 8, false);
  const TensorRef inside = add("inside", type, {left, right}, inner, false);
  builder.add_graph_output(add("outside", type, {inside, left}, outer, false));
  return std::move(builder).build();
}

void expect_one_sum(const Graph& forward) {
  const Graph graph = make_training_graph(forward, {});
  for (const std::string name : {"left/grad", "right/grad", "left/grad_sum_1",
                                 "left_weights/update", "right_weights/update"}) {
    EXPECT_TRUE(graph.find_op(name)) << name;
  }
  EXPECT_FALSE(graph.find_op("right/grad_sum_1"));
}

TEST(SharedGradient, OfASumIsAddedUp) { expect_one_sum(left_read_twice("Add", 8, 8)); }
TEST(SharedGradient, OfAConcatenationIsAddedUp) {
  expect_one_sum(left_read_twice("Concat", 16, 24));
}

}  // namespace
}  // namespace berth
