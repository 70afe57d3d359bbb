// Sequences and optionals: lists of tensors, of which is known what all have in common.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "frontends/onnx/ops/families.h"
#include "frontends/onnx/ops/fold.h"

namespace berth::onnx {
namespace {

// One element type, one shape, unknown where two tensors differ. Contents are not carried.
Value common(const Value& left, const Value& right) {
  Value value;
  if (left.kind != right.kind) return value;
  value.kind = left.kind;
  if (left.element == right.element) value.element = left.element;
  value.has_rank = left.has_rank && right.has_rank && left.dims.size() == right.dims.size();
  if (!value.has_rank) return value;
  value.dims = left.dims;
  for (std::size_t axis = 0; axis < value.dims.size(); ++axis) {
    if (left.dims[axis] != right.dims[axis]) value.dims[axis] = kUnknown;
  }
  return value;
}

Value without_contents(Value value) {
  value.forget_contents();
  value.is_weight = false;
  return value;
}

Value inner_of(const Value& value) {
  return value.inner.empty() ? Value{} : without_contents(value.inner.front());
}

void set_sequence(OpContext& op, Value inner, std::int64_t length) {
  Value& value = op.out(0);
  value = Value{};
  value.kind = Type::Kind::sequence;
  value.length = length;
  value.inner.push_back(std::move(inner));
}

void infer_empty(OpContext& op) {
  Value inner;
  inner.kind = Type::Kind::tensor;
  inner.element = element_type(op.attribute("dtype", 1), ElementType::float32);
  set_sequence(op, std::move(inner), 0);
}

void infer_construct(OpContext& op) {
  Value inner = without_contents(op.in(0));
  for (std::size_t index = 1; index < op.input_count(); ++index) {
    inner = common(inner, op.in(index));
  }
  set_sequence(op, std::move(inner), static_cast<std::int64_t>(op.input_count()));
}

void infer_at(OpContext& op) { op.out(0) = inner_of(op.in(0)); }

void infer_insert(OpContext& op) {
  const bool first = op.in(0).length == 0 || op.in(0).inner.empty();
  Value added = without_contents(op.in(1));
  set_sequence(op, first ? std::move(added) : common(inner_of(op.in(0)), added),
               add(op.in(0).length, 1));
}

void infer_erase(OpContext& op) {
  set_sequence(op, inner_of(op.in(0)), subtract(op.in(0).length, 1));
}

void infer_length(OpContext& op) {
  Value& value = op.tensor(0, ElementType::int64, {});
  if (op.in(0).length >= 0) fold_integers(value, {op.in(0).length});
}

void infer_concat_from(OpContext& op) {
  const Value inner = inner_of(op.in(0));
  const std::int64_t length = op.in(0).length;
  const bool fresh = op.attribute("new_axis", 0) != 0;
  op.unranked(0, inner.element);
  if (!inner.has_rank) return;
  const auto axis = axis_of(op.attribute("axis", 0), inner.dims.size() + (fresh ? 1 : 0));
  if (!axis) {
    op.complain(fmt::format("joins {} along axis {}; expected one of its axes", text_of(inner.dims),
                            op.attribute("axis", 0)));
    return;
  }
  Dims dims = inner.dims;
  const auto place = static_cast<std::size_t>(*axis);
  if (fresh) {
    dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(place), length);
  } else {
    dims[place] = multiply(dims[place], length);
  }
  op.tensor(0, inner.element, std::move(dims));
}

// Parts of one size (a number, or ones when nothing is said), or of a list of sizes.
void infer_split_to(OpContext& op) {
  Value inner;
  inner.kind = Type::Kind::tensor;
  inner.element = op.element(0);
  std::int64_t length = kUnknown;
  const auto axis = axis_of(op.attribute("axis", 0), op.rank(0));
  if (op.ranked(0) && !axis) op.complain_shape(0, "a tensor with the axis that is split");
  if (op.ranked(0) && axis) {
    const auto place = static_cast<std::size_t>(*axis);
    inner.has_rank = true;
    inner.dims = op.dims(0);
    std::int64_t& part = inner.dims[place];
    const std::int64_t whole = part;
    const auto sizes = op.integers(1);
    if (!op.has(1)) {
      length = whole;
      part = 1;
    } else if (op.ranked(1, 0)) {
      const std::int64_t each = op.integer(1).value_or(kUnknown);
      length = divide_up(whole, each);
      part = whole >= 0 && each > 0 && whole % each == 0 ? each : kUnknown;
    } else {
      length = op.dim(1, 0);
      const bool equal = sizes && !sizes->empty() &&
                         std::count(sizes->begin(), sizes->end(), sizes->front()) ==
                             static_cast<std::ptrdiff_t>(sizes->size());
      part = equal ? as_dim(sizes->front()) : kUnknown;
    }
    if (!op.has(1) && op.attribute("keepdims", 1) == 0) {
      inner.dims.erase(inner.dims.begin() + static_cast<std::ptrdiff_t>(place));
    }
  }
  set_sequence(op, std::move(inner), length);
}

void infer_optional(OpContext& op) {
  Value& value = op.out(0);
  value = Value{};
  value.kind = Type::Kind::optional;
  if (!op.has(0)) return;
  value.inner.push_back(without_contents(op.in(0)));
  op.alias(0, 0);
}

// Since opset 18 the input may be the element itself.
void infer_get_element(OpContext& op) {
  op.out(0) = op.in(0).kind == Type::Kind::optional ? inner_of(op.in(0)) : op.in(0);
  op.out(0).is_weight = false;
  op.alias(0, 0);
}

void infer_has_element(OpContext& op) {
  Value& value = op.tensor(0, ElementType::boolean, {});
  if (!op.has(0)) fold_integers(value, {0});
}

constexpr Operator kOperators[] = {
    {kOnnx, "ConcatFromSequence", infer_concat_from},
    {kOnnx, "Optional", infer_optional},
    {kOnnx, "OptionalGetElement", infer_get_element},
    {kOnnx, "OptionalHasElement", infer_has_element},
    {kOnnx, "SequenceAt", infer_at},
    {kOnnx, "SequenceConstruct", infer_construct},
    {kOnnx, "SequenceEmpty", infer_empty},
    {kOnnx, "SequenceErase", infer_erase},
    {kOnnx, "SequenceInsert", infer_insert},
    {kOnnx, "SequenceLength", infer_length},
    {kOnnx, "SplitToSequence", infer_split_to},
};

}  // namespace

std::span<const Operator> sequence_operators() { return kOperators; }

}  // namespace berth::onnx
