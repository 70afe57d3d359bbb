// The computation graph: ops, the tensors they make and read, and order-only dependencies.
//
// It is immutable once built (see graph_builder.h) and stored as a structure of arrays, with
// adjacency as compressed rows in both directions. An op takes a few hundred bytes. Ops keep the
// order of the file ("op index"). Tensors are numbered by producing op, then by output index, so an
// op's outputs are consecutive. The graph knows nothing of devices: `devices`, `seconds` and
// `colocate` are stored as written; Problem gives them their meaning.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "graph/dtype.h"

namespace berth {

// Interns strings: equal texts get equal numbers, in order of first appearance.
class StringTable {
 public:
  std::uint32_t intern(std::string_view text);
  std::optional<std::uint32_t> find(std::string_view text) const;
  std::string_view operator[](std::uint32_t number) const {
    return std::string_view(characters_)
        .substr(begins_[number], begins_[number + 1] - begins_[number]);
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(begins_.size() - 1); }

 private:
  // Some bits of the hash next to the number: most comparisons end here and do not read the text.
  struct Slot {
    std::uint32_t number;
    std::uint32_t hash;
  };
  std::size_t find_slot(std::string_view text, std::size_t hash) const;
  void grow();

  std::string characters_;
  std::vector<std::uint64_t> begins_ = {0};
  std::vector<Slot> slots_;  // open addressing
};

// Rows of different length in one array.
template <class T>
struct Rows {
  std::vector<std::uint32_t> begins;
  std::vector<T> items;

  std::span<const T> row(std::size_t index) const {
    return {items.data() + begins[index], items.data() + begins[index + 1]};
  }
  std::size_t size() const { return begins.empty() ? 0 : begins.size() - 1; }
};

class Graph {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffu;

  // Measured or given time of an op on the devices called `key` (a name, a model or a kind).
  struct GivenSeconds {
    std::uint32_t key;  // into seconds_keys()
    double seconds;
  };

  const std::string& name() const { return name_; }
  // What products are computed in, where the user chose a precision (graph/precision.h); else
  // unknown.
  DType precision() const { return precision_; }
  std::size_t op_count() const { return types_.size(); }
  std::size_t tensor_count() const { return bytes_.size(); }
  // Data edges (distinct input tensors of every op) and control edges.
  std::size_t edge_count() const { return consumers_.items.size() + after_.items.size(); }

  // Ops.
  std::string_view op_name(OpId op) const { return names_[op32(op)]; }
  std::string_view op_type(OpId op) const { return type_names_[types_[op.index()]]; }
  std::uint32_t type_index(OpId op) const { return types_[op.index()]; }
  const StringTable& type_names() const { return type_names_; }
  double flops(OpId op) const { return flops_[op.index()]; }
  std::int64_t param_bytes(OpId op) const { return param_bytes_[op.index()]; }
  std::int64_t temp_bytes(OpId op) const { return temp_bytes_[op.index()]; }
  std::span<const TensorId> inputs(OpId op) const { return inputs_.row(op.index()); }  // as listed
  std::span<const OpId> after(OpId op) const { return after_.row(op.index()); }        // as listed
  TensorId first_output(OpId op) const { return TensorId(output_begins_[op.index()]); }
  std::size_t output_count(OpId op) const {
    return output_begins_[op.index() + 1] - output_begins_[op.index()];
  }
  TensorId output(OpId op, std::size_t k) const { return TensorId(output_begins_[op.index()] + k); }

  // Labels: kNone when the op has none.
  std::uint32_t colocation_label(OpId op) const { return optional_column(colocation_, op); }
  const StringTable& colocation_labels() const { return colocation_names_; }
  std::uint32_t layer(OpId op) const { return optional_column(layers_, op); }
  const StringTable& layer_names() const { return layer_names_; }
  // Which devices are allowed: a list of names, models or kinds, shared by the ops that have it.
  std::uint32_t device_set(OpId op) const { return optional_column(device_rules_, op); }
  const std::vector<std::vector<std::string>>& device_sets() const { return rule_lists_; }
  std::span<const GivenSeconds> given_seconds(OpId op) const {
    return seconds_.begins.empty() ? std::span<const GivenSeconds>() : seconds_.row(op.index());
  }
  const StringTable& seconds_keys() const { return seconds_keys_; }

  // Tensors.
  std::int64_t bytes(TensorId tensor) const { return bytes_[tensor.index()]; }
  OpId producer(TensorId tensor) const { return producers_[tensor.index()]; }
  std::size_t output_index(TensorId tensor) const {
    return tensor.index() - output_begins_[producer(tensor).index()];
  }
  // Distinct ops that read the tensor, by ascending index.
  std::span<const OpId> consumers(TensorId tensor) const { return consumers_.row(tensor.index()); }
  DType dtype(TensorId tensor) const { return dtypes_[tensor.index()]; }
  bool has_shape(TensorId tensor) const { return has_shape_[tensor.index()] != 0; }
  std::span<const std::int64_t> shape(TensorId tensor) const { return shapes_.row(tensor.index()); }
  bool resident(TensorId tensor) const { return resident_[tensor.index()] != 0; }
  // Position in the producer's inputs() of the tensor whose memory this one shares, or kNone.
  std::uint32_t alias(TensorId tensor) const { return alias_[tensor.index()]; }
  bool is_graph_output(TensorId tensor) const { return is_graph_output_[tensor.index()] != 0; }
  std::span<const TensorId> graph_outputs() const { return graph_outputs_; }

  // Ops that must run before `op`: producers of its inputs and its `after`, distinct, ascending;
  // and the reverse.
  std::span<const OpId> predecessors(OpId op) const { return predecessors_.row(op.index()); }
  std::span<const OpId> successors(OpId op) const { return successors_.row(op.index()); }
  // Every op after its predecessors; of the ops that could come next, the lowest index does.
  std::span<const OpId> topological_order() const { return order_; }

  std::optional<OpId> find_op(std::string_view name) const;
  // "op" (output 0) or "op:k"; the whole string is first looked up as a name.
  std::optional<TensorId> find_tensor(std::string_view reference) const;
  // "op:k", as files write it.
  std::string tensor_name(TensorId tensor) const;

 private:
  friend class GraphBuilder;
  friend Graph in_precision(Graph graph, DType precision);
  static std::uint32_t op32(OpId op) { return static_cast<std::uint32_t>(op.index()); }
  static std::uint32_t optional_column(const std::vector<std::uint32_t>& column, OpId op) {
    return column.empty() ? kNone : column[op.index()];
  }

  std::string name_;
  DType precision_ = DType::unknown;
  StringTable names_, type_names_, colocation_names_, layer_names_, seconds_keys_;
  std::vector<std::uint32_t> types_;
  std::vector<double> flops_;
  std::vector<std::int64_t> param_bytes_, temp_bytes_;
  std::vector<std::uint32_t> colocation_, layers_, device_rules_;  // empty when no op has one
  std::vector<std::vector<std::string>> rule_lists_;
  Rows<GivenSeconds> seconds_;

  std::vector<std::uint32_t> output_begins_ = {0};
  std::vector<std::int64_t> bytes_;
  std::vector<OpId> producers_;
  std::vector<DType> dtypes_;
  std::vector<std::uint8_t> has_shape_, resident_, is_graph_output_;
  std::vector<std::uint32_t> alias_;
  Rows<std::int64_t> shapes_;
  std::vector<TensorId> graph_outputs_;

  Rows<TensorId> inputs_;
  Rows<OpId> after_, consumers_, predecessors_, successors_;
  std::vector<OpId> order_;
};

}  // namespace berth
