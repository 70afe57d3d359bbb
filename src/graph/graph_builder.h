// Builds a Graph. Ops are added one after the other, the outputs of an op right after the op
// itself, edges at any time, forward references included. build() checks what can only be seen at
// the end (cycles, aliases, sums that do not fit) and throws InputError naming the ops.
//
//   GraphBuilder builder("tiny");
//   OpId x = builder.add_op("x", "Input");
//   TensorRef data = builder.add_output(x, {.bytes = 4096});
//   OpId mm = builder.add_op("mm", "MatMul");
//   builder.add_input(mm, data);
//   Graph graph = std::move(builder).build();
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph.h"

namespace berth {

struct TensorRef {
  OpId op;
  std::uint32_t output = 0;
};

struct OutputSpec {
  std::int64_t bytes = -1;  // -1: from shape and dtype
  std::span<const std::int64_t> shape = {};
  bool has_shape = false;  // an empty shape is a scalar; set by a non-empty `shape` as well
  DType dtype = DType::unknown;
  bool resident = false;
  std::uint32_t alias = Graph::kNone;
};

// Bytes of a tensor of that shape and type; throws InputError when they do not fit 63 bits.
std::int64_t tensor_bytes(std::span<const std::int64_t> shape, DType dtype);

class GraphBuilder {
 public:
  explicit GraphBuilder(std::string name);
  void set_name(std::string name) { graph_.name_ = std::move(name); }
  void set_precision(DType precision) { graph_.precision_ = precision; }

  OpId add_op(std::string_view name, std::string_view type);  // throws InputError on a used name
  void set_type(OpId op, std::string_view type);
  void set_flops(OpId op, double flops) { graph_.flops_[op.index()] = flops; }
  void set_param_bytes(OpId op, std::int64_t bytes) { graph_.param_bytes_[op.index()] = bytes; }
  void set_temp_bytes(OpId op, std::int64_t bytes) { graph_.temp_bytes_[op.index()] = bytes; }
  void set_colocation(OpId op, std::string_view label);
  void set_layer(OpId op, std::string_view label);
  void set_devices(OpId op, std::vector<std::string> devices);
  // To be called for the op added last.
  void add_seconds(OpId op, std::string_view device, double seconds);
  TensorRef add_output(OpId op, const OutputSpec& output);

  void add_input(OpId op, TensorRef tensor) { inputs_.push_back({op, tensor}); }
  void add_after(OpId op, OpId earlier) { after_.push_back({op, earlier}); }
  void add_graph_output(TensorRef tensor) { outputs_.push_back(tensor); }

  std::size_t op_count() const { return graph_.op_count(); }
  std::size_t output_count(OpId op) const { return graph_.output_count(op); }
  std::optional<OpId> find_op(std::string_view name) const { return graph_.find_op(name); }
  std::string_view op_name(OpId op) const { return graph_.op_name(op); }

  Graph build() &&;

 private:
  struct Input {
    OpId op;
    TensorRef tensor;
  };
  struct After {
    OpId op;
    OpId earlier;
  };

  void index_edges();
  void sort_topologically();
  std::int64_t bytes_from_shape(OpId op, std::uint32_t k, const OutputSpec& output) const;
  void check_aliases() const;
  void check_flops() const;
  [[noreturn]] void report_cycle(const std::vector<std::uint32_t>& missing) const;

  Graph graph_;
  std::vector<Input> inputs_;
  std::vector<After> after_;
  std::vector<TensorRef> outputs_;
  std::map<std::vector<std::string>, std::uint32_t> rules_;  // into Graph::device_sets()
};

}  // namespace berth
