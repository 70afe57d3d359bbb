#include "frontends/onnx/ops/op_context.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace berth::onnx {
namespace {

enum AttributeType : std::int32_t { kFloat = 1, kInt = 2 };

const Value& nothing() {
  static const Value value;
  return value;
}

}  // namespace

bool OpContext::has(std::size_t index) const {
  return index < input_.inputs.size() && input_.inputs[index] != nullptr;
}

const Value& OpContext::in(std::size_t index) const {
  return has(index) ? *input_.inputs[index] : nothing();
}

std::int64_t OpContext::dim(std::size_t index, std::int64_t axis) const {
  const auto counted = axis_of(axis, rank(index));
  return counted ? dims(index)[static_cast<std::size_t>(*counted)] : kUnknown;
}

std::optional<Dims> OpContext::integers(std::size_t index) const {
  const Value& value = in(index);
  // Of an empty tensor both lists are empty, whatever its type.
  if (!value.contents || !value.contents->reals.empty()) return std::nullopt;
  return value.contents->integers;
}

std::optional<std::int64_t> OpContext::integer(std::size_t index) const {
  const Value& value = in(index);
  if (!value.contents || value.contents->integers.size() != 1) return std::nullopt;
  const std::int64_t number = value.contents->integers.front();
  if (!Contents::is_known(number)) return std::nullopt;
  return number;
}

std::optional<double> OpContext::real(std::size_t index) const {
  const Value& value = in(index);
  if (!value.contents) return std::nullopt;
  if (const auto number = integer(index)) return static_cast<double>(*number);
  if (value.contents->reals.size() != 1) return std::nullopt;
  const double number = value.contents->reals.front();
  if (number != number) return std::nullopt;
  return number;
}

std::int64_t OpContext::attribute(std::string_view name, std::int64_t fallback) const {
  const Attribute* found = node().attribute(name);
  // A reference that no call has replaced has no value of its own.
  if (found == nullptr || !found->ref_attr_name.empty()) return fallback;
  return found->i;
}

double OpContext::attribute_real(std::string_view name, double fallback) const {
  const Attribute* found = node().attribute(name);
  if (found == nullptr || !found->ref_attr_name.empty()) return fallback;
  return found->type == kInt ? static_cast<double>(found->i) : static_cast<double>(found->f);
}

std::string_view OpContext::attribute_text(std::string_view name, std::string_view fallback) const {
  const Attribute* found = node().attribute(name);
  if (found == nullptr || !found->ref_attr_name.empty()) return fallback;
  return found->s;
}

std::optional<Dims> OpContext::attribute_list(std::string_view name) const {
  const Attribute* found = node().attribute(name);
  if (found == nullptr || !found->ref_attr_name.empty()) return std::nullopt;
  // A list of one may be written as a number.
  if (found->type == kInt && found->ints.empty()) return Dims{found->i};
  return found->ints;
}

std::size_t OpContext::attribute_length(std::string_view name) const {
  const Attribute* found = node().attribute(name);
  if (found == nullptr) return 0;
  std::size_t length = std::max({found->ints.size(), found->floats.size(), found->strings.size()});
  for (const Tensor& tensor : found->tensors) {
    const std::int64_t elements = product(tensor.dims);
    if (elements > 0) length = std::max(length, static_cast<std::size_t>(elements));
  }
  return length;
}

std::optional<Dims> OpContext::list(std::size_t index, std::string_view attribute_name) const {
  if (has(index)) return integers(index);
  return attribute_list(attribute_name);
}

Value& OpContext::out(std::size_t index) {
  if (index < result_.outputs.size()) return result_.outputs[index];
  // Rules fill in all outputs of their operator; what the node leaves out goes here and is dropped.
  scratch_ = Value{};
  return scratch_;
}

Value& OpContext::tensor(std::size_t index, ElementType element, Dims dims) {
  Value& value = unranked(index, element);
  value.has_rank = true;
  value.dims = std::move(dims);
  return value;
}

Value& OpContext::unranked(std::size_t index, ElementType element) {
  Value& value = out(index);
  value = Value{};
  value.kind = Type::Kind::tensor;
  value.element = element;
  return value;
}

Value& OpContext::like(std::size_t index, std::size_t source) {
  return like(index, source, element(source));
}

Value& OpContext::like(std::size_t index, std::size_t source, ElementType element) {
  Value& value = unranked(index, element);
  value.has_rank = ranked(source);
  value.dims = dims(source);
  return value;
}

void OpContext::view(std::size_t index, std::size_t source) {
  Value& value = out(index);
  value = in(source);
  value.is_weight = false;
  alias(index, source);
}

void OpContext::alias(std::size_t output, std::size_t source) {
  if (output < result_.alias.size() && has(source)) {
    result_.alias[output] = static_cast<int>(source);
  }
}

void OpContext::temporary(std::int64_t bytes) {
  const std::int64_t sum = add(result_.temp_bytes, bytes);
  if (sum >= 0) result_.temp_bytes = sum;
}

void OpContext::complain(std::string_view predicate) {
  if (result_.complaint.empty()) result_.complaint = fmt::format("{} {}", type(), predicate);
}

void OpContext::complain_shape(std::size_t index, std::string_view right) {
  complain(
      fmt::format("was given {} as input {}; expected {}", text_of(dims(index)), index, right));
}

ElementType element_type(std::int64_t code, ElementType fallback) {
  constexpr std::int64_t kMostTypes = 64;  // more than the format will need for long
  if (code <= 0 || code >= kMostTypes) return fallback;
  return static_cast<ElementType>(code);
}

}  // namespace berth::onnx
