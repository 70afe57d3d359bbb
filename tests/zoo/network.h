// What the tests of the workloads that are networks share: sums over a graph, and the promises that
// every one of them keeps.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "cluster/presets.h"
#include "cost/cost_model.h"
#include "zoo/workload.h"

namespace berth::zoo {

inline Graph build_network(const std::string& text, Mode mode = Mode::inference) {
  const Call call = parse_call(text);
  const Workload& workload = find_workload(call.name);
  return workload.build(Options(workload.name, workload.options, call), mode);
}

// Elements of all weights.
inline std::int64_t parameters(const Graph& graph) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < graph.op_count(); ++i) {
    if (graph.op_type(OpId(i)) != "Variable") continue;
    const TensorId tensor = graph.first_output(OpId(i));
    count += graph.bytes(tensor) * 8 / dtype_bits(graph.dtype(tensor));
  }
  return count;
}

// Of convolutions and products, which is what the papers count; a multiplication and an addition
// are one.
inline double multiply_adds(const Graph& graph) {
  double flops = 0;
  for (std::size_t i = 0; i < graph.op_count(); ++i) {
    if (is_heavy(classify(graph.op_type(OpId(i))))) flops += graph.flops(OpId(i));
  }
  return flops / 2;
}

// Every op as a line, to compare whole graphs.
inline std::string print_network(const Graph& graph) {
  std::string text;
  for (std::size_t i = 0; i < graph.op_count(); ++i) {
    const OpId op(i);
    text += std::string(graph.op_name(op)) + " " + std::string(graph.op_type(op)) + " " +
            std::to_string(graph.flops(op)) + " " + std::to_string(graph.param_bytes(op));
    for (const TensorId tensor : graph.inputs(op)) text += " " + graph.tensor_name(tensor);
    text += "\n";
  }
  return text;
}

// The same options give the same graph; every op has a layer and a known type; the backward pass
// works twice as much as the forward pass, one product for each operand; and the expert's plan, if
// there is one, is valid on four GPUs.
inline void expect_sound_network(const std::string& text) {
  SCOPED_TRACE(text);
  const Graph forward = build_network(text);
  const Graph training = build_network(text, Mode::training);
  EXPECT_EQ(print_network(forward), print_network(build_network(text)));
  EXPECT_GT(training.op_count(), forward.op_count());
  EXPECT_FALSE(forward.graph_outputs().empty());
  EXPECT_GT(forward.layer_names().size(), 4u);
  for (const Graph* graph : {&forward, &training}) {
    for (std::size_t i = 0; i < graph->op_count(); ++i) {
      const OpId op(i);
      ASSERT_NE(graph->layer(op), Graph::kNone) << graph->op_name(op);
      ASSERT_NE(classify(graph->op_type(op)), OpClass::other) << graph->op_type(op);
    }
  }
  const double backward = multiply_adds(training) / multiply_adds(forward) - 1;
  EXPECT_GT(backward, 1.8);
  EXPECT_LT(backward, 2.2);

  const Workload& workload = find_workload(parse_call(text).name);
  if (!workload.expert) return;
  const Problem problem(training, make_preset("4xP100"));
  const auto plan = workload.expert(problem);
  ASSERT_TRUE(plan);
  EXPECT_TRUE(violations(problem, *plan).empty());
}

}  // namespace berth::zoo
