// Two graphs compared in everything that can be asked of them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "graph/graph.h"

namespace berth {

template <class Span>
bool same_items(const Span& a, const Span& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

inline std::string label(const StringTable& table, std::uint32_t number) {
  return number == Graph::kNone ? "(none)" : std::string(table[number]);
}

inline void expect_same_tensor(const Graph& a, const Graph& b, TensorId tensor) {
  SCOPED_TRACE(a.tensor_name(tensor));
  EXPECT_EQ(a.tensor_name(tensor), b.tensor_name(tensor));
  EXPECT_EQ(a.bytes(tensor), b.bytes(tensor));
  EXPECT_EQ(a.producer(tensor), b.producer(tensor));
  EXPECT_EQ(a.dtype(tensor), b.dtype(tensor));
  EXPECT_EQ(a.has_shape(tensor), b.has_shape(tensor));
  EXPECT_TRUE(same_items(a.shape(tensor), b.shape(tensor)));
  EXPECT_EQ(a.resident(tensor), b.resident(tensor));
  EXPECT_EQ(a.alias(tensor), b.alias(tensor));
  EXPECT_EQ(a.is_graph_output(tensor), b.is_graph_output(tensor));
  EXPECT_TRUE(same_items(a.consumers(tensor), b.consumers(tensor)));
}

inline void expect_same_op(const Graph& a, const Graph& b, OpId op) {
  SCOPED_TRACE(std::string(a.op_name(op)));
  EXPECT_EQ(a.op_name(op), b.op_name(op));
  EXPECT_EQ(a.op_type(op), b.op_type(op));
  EXPECT_EQ(a.flops(op), b.flops(op));
  EXPECT_EQ(a.param_bytes(op), b.param_bytes(op));
  EXPECT_EQ(a.temp_bytes(op), b.temp_bytes(op));
  EXPECT_TRUE(same_items(a.inputs(op), b.inputs(op)));
  EXPECT_TRUE(same_items(a.after(op), b.after(op)));
  EXPECT_EQ(a.first_output(op), b.first_output(op));
  EXPECT_EQ(a.output_count(op), b.output_count(op));
  EXPECT_EQ(label(a.colocation_labels(), a.colocation_label(op)),
            label(b.colocation_labels(), b.colocation_label(op)));
  EXPECT_EQ(label(a.layer_names(), a.layer(op)), label(b.layer_names(), b.layer(op)));
  const auto devices = [op](const Graph& graph) {
    const std::uint32_t rule = graph.device_set(op);
    return rule == Graph::kNone ? std::vector<std::string>() : graph.device_sets()[rule];
  };
  EXPECT_EQ(devices(a), devices(b));
  ASSERT_EQ(a.given_seconds(op).size(), b.given_seconds(op).size());
  for (std::size_t i = 0; i < a.given_seconds(op).size(); ++i) {
    EXPECT_EQ(a.seconds_keys()[a.given_seconds(op)[i].key],
              b.seconds_keys()[b.given_seconds(op)[i].key]);
    EXPECT_EQ(a.given_seconds(op)[i].seconds, b.given_seconds(op)[i].seconds);
  }
  EXPECT_TRUE(same_items(a.predecessors(op), b.predecessors(op)));
  EXPECT_TRUE(same_items(a.successors(op), b.successors(op)));
}

inline void expect_same_graph(const Graph& a, const Graph& b) {
  EXPECT_EQ(a.name(), b.name());
  ASSERT_EQ(a.op_count(), b.op_count());
  ASSERT_EQ(a.tensor_count(), b.tensor_count());
  EXPECT_EQ(a.edge_count(), b.edge_count());
  for (std::size_t i = 0; i < a.op_count(); ++i) expect_same_op(a, b, OpId(i));
  for (std::size_t i = 0; i < a.tensor_count(); ++i) expect_same_tensor(a, b, TensorId(i));
  EXPECT_TRUE(same_items(a.graph_outputs(), b.graph_outputs()));
  EXPECT_TRUE(same_items(a.topological_order(), b.topological_order()));
}

}  // namespace berth
