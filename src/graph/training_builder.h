// The implementation of training.h; nothing else includes this. The walk over the graph is in
// training.cc, the gradient ops of one forward op in training_gradients.cc.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graph/gradient_rules.h"
#include "graph/graph_builder.h"
#include "graph/training.h"

namespace berth {

// Only real numbers have a gradient. A tensor without a type is assumed to have one.
inline bool has_slope(DType dtype) {
  switch (dtype) {
    case DType::i64:
    case DType::i32:
    case DType::i16:
    case DType::i8:
    case DType::i4:
    case DType::u64:
    case DType::u32:
    case DType::u16:
    case DType::u8:
    case DType::u4:
    case DType::boolean:
      return false;
    default:
      return true;
  }
}

// A tensor without a type is assumed to be f32.
inline int element_bits(DType dtype) {
  const int bits = dtype_bits(dtype);
  return bits > 0 ? bits : 32;
}

class TrainingBuilder {
 public:
  TrainingBuilder(const Graph& forward, const OptimizerFacts& optimizer)
      : forward_(forward), optimizer_(optimizer), builder_(forward.name()) {}

  Graph build() {
    builder_.set_precision(forward_.precision());
    for (std::size_t i = 0; i < forward_.op_count(); ++i) copy_op(OpId(i));
    for (std::size_t i = 0; i < forward_.op_count(); ++i) copy_edges(OpId(i));
    find_dependent();
    add_losses();
    const auto order = forward_.topological_order();
    for (auto op = order.rbegin(); op != order.rend(); ++op) add_gradient(*op);
    return std::move(builder_).build();
  }

 private:
  // The gradient of a tensor as far as it is known: a sum, and for a table that is looked up, rows.
  struct Gradient {
    TensorRef sum;
    int parts = 0;  // added up; 0: there is no sum
    std::vector<TensorRef> rows, indices;
    std::int64_t row_bytes = 0;
    bool exists() const { return parts > 0 || !rows.empty(); }
  };

  std::string unused(std::string name) const {
    while (builder_.find_op(name)) name += "_";
    return name;
  }
  static TensorRef ref(const Graph& graph, TensorId tensor) {
    return {graph.producer(tensor), static_cast<std::uint32_t>(graph.output_index(tensor))};
  }
  TensorRef ref(TensorId tensor) const { return ref(forward_, tensor); }
  OutputSpec spec(TensorId tensor) const {
    return {.bytes = forward_.bytes(tensor),
            .shape = forward_.has_shape(tensor) ? forward_.shape(tensor)
                                                : std::span<const std::int64_t>(),
            .has_shape = forward_.has_shape(tensor),
            .dtype = forward_.dtype(tensor)};
  }
  double elements(TensorId tensor) const {
    return 8 * static_cast<double>(forward_.bytes(tensor)) / element_bits(forward_.dtype(tensor));
  }
  bool same_shape(TensorId a, TensorId b) const {
    if (forward_.has_shape(a) && forward_.has_shape(b)) {
      return std::equal(forward_.shape(a).begin(), forward_.shape(a).end(),
                        forward_.shape(b).begin(), forward_.shape(b).end());
    }
    return forward_.bytes(a) == forward_.bytes(b);
  }
  bool is_weight(OpId op) const {
    return forward_.op_type(op) == "Variable" && forward_.output_count(op) == 1;
  }

  void copy_op(OpId op);
  void copy_edges(OpId op);
  void find_dependent();
  void add_losses();
  TensorRef add_loss(TensorId output, const std::string& name);
  void add_gradient(OpId op);
  void add_whole(OpId op, const GradientRule& rule, std::span<const TensorId> targets);
  void add_products(OpId op, std::span<const TensorId> targets);
  void add_passed(OpId op, std::span<const TensorId> targets);
  void add_view(OpId op, TensorId target);
  void add_rows(OpId op, TensorId table);
  void add_own_weights(OpId op);
  void add_update(OpId variable);
  void accumulate(TensorId tensor, TensorRef part);
  std::int64_t state_bytes(std::int64_t bytes, DType dtype,
                           std::span<const std::int64_t> shape) const;
  TensorRef join_rows(OpId variable, const Gradient& gradient);
  OpId add_in_layer(OpId op, const std::string& suffix, std::string_view type);
  OpId add_beside(OpId op, std::string_view suffix, std::string_view type, double share);
  TensorRef sum_of(OpId op) const { return gradients_[forward_.first_output(op).index()].sum; }

  const Graph& forward_;
  const OptimizerFacts& optimizer_;
  GraphBuilder builder_;
  std::vector<char> depends_;        // by tensor: on a weight
  std::vector<Gradient> gradients_;  // by tensor
};

}  // namespace berth
