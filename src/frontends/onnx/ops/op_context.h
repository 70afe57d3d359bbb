// One node under inference, as the rules of operators see it: inputs that may be missing or of
// unknown rank, attributes with their defaults, outputs to fill in. Everything can be asked for
// without checking first; what is missing is "unknown", so a rule reads like the operator's
// specification.
//
// infer() makes sure beforehand that inputs are sound: ranks are at most kMaxRank, dimensions at
// least kUnknown, and contents fit the shape and the element type.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "frontends/onnx/infer.h"
#include "frontends/onnx/ops/extents.h"

namespace berth::onnx {

class OpContext {
 public:
  OpContext(const InferInput& input, Inferred& result) : input_(input), result_(result) {}

  std::string_view type() const { return input_.node.op_type; }
  const Node& node() const { return input_.node; }
  std::int64_t opset() const { return input_.opset; }
  std::size_t input_count() const { return input_.inputs.size(); }
  std::size_t output_count() const { return result_.outputs.size(); }

  // Inputs. One that is left out looks like a value of which nothing is known.
  bool has(std::size_t index) const;
  const Value& in(std::size_t index) const;
  ElementType element(std::size_t index) const { return in(index).element; }
  bool ranked(std::size_t index) const { return in(index).has_rank; }
  bool ranked(std::size_t index, std::size_t rank) const {
    return ranked(index) && dims(index).size() == rank;
  }
  const Dims& dims(std::size_t index) const { return in(index).dims; }
  std::size_t rank(std::size_t index) const { return dims(index).size(); }
  // Negative axes count from the back; unknown when there is no such axis.
  std::int64_t dim(std::size_t index, std::int64_t axis) const;
  double volume_of(std::size_t index) const { return volume(dims(index)); }

  // Contents, as far as they are known.
  std::optional<Dims> integers(std::size_t index) const;
  std::optional<std::int64_t> integer(std::size_t index) const;  // of a tensor with one element
  std::optional<double> real(std::size_t index) const;

  // Attributes.
  bool has_attribute(std::string_view name) const { return node().attribute(name) != nullptr; }
  std::int64_t attribute(std::string_view name, std::int64_t fallback) const;
  double attribute_real(std::string_view name, double fallback) const;
  std::string_view attribute_text(std::string_view name, std::string_view fallback) const;
  std::optional<Dims> attribute_list(std::string_view name) const;
  std::size_t attribute_length(std::string_view name) const;  // of a list of any type
  // Many operators moved a list from an attribute to an input in later opsets. Which of the two a
  // node has is more reliable than its opset, which converters often get wrong.
  std::optional<Dims> list(std::size_t index, std::string_view attribute_name) const;

  // Outputs. Those the node does not have can be written to without effect.
  Value& out(std::size_t index);
  Value& tensor(std::size_t index, ElementType element, Dims dims);
  Value& unranked(std::size_t index, ElementType element);
  // Same shape as an input; the element type too unless another is given.
  Value& like(std::size_t index, std::size_t source);
  Value& like(std::size_t index, std::size_t source, ElementType element);
  // The very value of an input, in its memory.
  void view(std::size_t index, std::size_t source);

  void alias(std::size_t output, std::size_t source);
  void work(double flops) { result_.flops += flops; }
  void temporary(std::int64_t bytes);
  // Extents of the outputs are the largest they can be.
  void bound() { result_.is_bound = true; }
  // Completes "<op type> ..." to a sentence. The first complaint stays.
  void complain(std::string_view predicate);
  // "<op type> was given A of shape ..., where B would be right."
  void complain_shape(std::size_t index, std::string_view right);

 private:
  const InferInput& input_;
  Inferred& result_;
  Value scratch_;
};

// The type attributes such as `to` and `dtype` name, or the fallback for what no type can be.
ElementType element_type(std::int64_t code, ElementType fallback);

}  // namespace berth::onnx
