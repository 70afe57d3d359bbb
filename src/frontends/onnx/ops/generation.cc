// Operators without data inputs: constants, ranges, random numbers.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "frontends/onnx/constant.h"
#include "frontends/onnx/ops/families.h"
#include "frontends/onnx/ops/fold.h"

namespace berth::onnx {
namespace {

constexpr double kRandom = 10;  // one number of a counter-based generator

void set_constant(OpContext& op, Value value) {
  value.is_weight = !value.contents;
  op.out(0) = std::move(value);
}

// Lists in attributes; a long one is a weight like any other.
template <typename Number>
void set_list(OpContext& op, ElementType element, const std::vector<Number>& numbers) {
  Value& value = op.tensor(0, element, {static_cast<std::int64_t>(numbers.size())});
  if (!is_small(value)) {
    value.is_weight = true;
  } else if constexpr (std::is_same_v<Number, float>) {
    fold_reals(value, std::vector<double>(numbers.begin(), numbers.end()));
  } else {
    fold_integers(value, numbers);
  }
}

void infer_constant(OpContext& op) {
  for (const Attribute& attribute : op.node().attributes) {
    if (!attribute.ref_attr_name.empty()) continue;
    if (attribute.name == "value" && !attribute.tensors.empty()) {
      return set_constant(op, value_of(attribute.tensors.front()));
    }
    if (attribute.name == "value_int") {
      fold_integers(op.tensor(0, ElementType::int64, {}), {attribute.i});
      return;
    }
    if (attribute.name == "value_float") {
      fold_reals(op.tensor(0, ElementType::float32, {}), {static_cast<double>(attribute.f)});
      return;
    }
    if (attribute.name == "value_ints") return set_list(op, ElementType::int64, attribute.ints);
    if (attribute.name == "value_floats") {
      return set_list(op, ElementType::float32, attribute.floats);
    }
    if (attribute.name == "value_string") {
      op.tensor(0, ElementType::string, {});
      return;
    }
    if (attribute.name == "value_strings") {
      op.tensor(0, ElementType::string, {static_cast<std::int64_t>(attribute.strings.size())});
      return;
    }
    if (attribute.name == "sparse_value" && !attribute.tensors.empty()) {
      // The dense shape is not carried; only the type is sure.
      op.unranked(0, attribute.tensors.front().element);
      return;
    }
  }
  op.complain("holds no value; expected one of its value attributes");
}

Dims clean(const Dims& shape) {
  Dims dims;
  for (const std::int64_t dim : shape) dims.push_back(as_dim(dim));
  return dims;
}

// A shape of which at least the length is known gives the rank.
void set_shape(OpContext& op, ElementType element, std::size_t index) {
  if (const auto shape = op.list(index, "shape"); shape && shape->size() <= kMaxRank) {
    op.tensor(0, element, clean(*shape));
  } else if (op.ranked(index, 1) && op.dim(index, 0) >= 0 &&
             op.dim(index, 0) <= static_cast<std::int64_t>(kMaxRank)) {
    op.tensor(0, element, Dims(static_cast<std::size_t>(op.dim(index, 0)), kUnknown));
  } else {
    op.unranked(0, element);
  }
}

void fill(Value& value, const Contents& one) {
  if (!is_small(value)) return;
  const Dims zeros(static_cast<std::size_t>(*value.elements()), 0);
  value.contents = pick(one, zeros);
}

void infer_constant_of_shape(OpContext& op) {
  Contents zero{.integers = {}, .reals = {0.0}};
  ElementType element = ElementType::float32;
  bool known = true;
  const Attribute* given = op.node().attribute("value");
  if (given != nullptr && !given->tensors.empty()) {
    const Value value = value_of(given->tensors.front());
    element = value.element;
    known = value.contents && value.elements() == 1;
    if (known) zero = *value.contents;
  }
  set_shape(op, element, 0);
  if (known) fill(op.out(0), zero);
}

// Opset 1 had this one with the value as a number.
void infer_constant_fill(OpContext& op) {
  const ElementType element = element_type(op.attribute("dtype", 1), ElementType::float32);
  if (op.attribute("input_as_shape", 0) != 0 || !op.has(0)) {
    set_shape(op, element, 0);
  } else {
    op.like(0, 0, element);
  }
}

Dims counted(std::int64_t start, std::int64_t step, std::int64_t length) {
  Dims numbers;
  for (std::int64_t index = 0; index < length; ++index) {
    // Without sign, since the length was found in reals and may be one too many near the limits.
    const auto offset = static_cast<std::uint64_t>(index) * static_cast<std::uint64_t>(step);
    numbers.push_back(static_cast<std::int64_t>(static_cast<std::uint64_t>(start) + offset));
  }
  return numbers;
}

std::vector<double> counted(double start, double step, std::int64_t length) {
  std::vector<double> numbers;
  for (std::int64_t index = 0; index < length; ++index) {
    numbers.push_back(start + static_cast<double>(index) * step);
  }
  return numbers;
}

void infer_range(OpContext& op) {
  Value& value = op.tensor(0, op.element(0), {kUnknown});
  const auto start = op.real(0), limit = op.real(1), step = op.real(2);
  if (op.integers(1) == Dims{kTooLarge}) value.dims = {kTooLarge};
  if (!start || !limit || !step) return;
  if (*step == 0) {
    op.complain("counts in steps of 0; expected any other number");
    return;
  }
  std::int64_t length = integer_of(std::max(0.0, std::ceil((*limit - *start) / *step)));
  const auto first = op.integer(0), last = op.integer(1), delta = op.integer(2);
  const bool integers = first && last && delta;
  value.dims = {as_dim(length)};
  if (length < 0) return;
  op.work(extent(length));
  if (length > kMaxContents) return;
  if (integers) {
    fold_integers(value, counted(*first, *delta, length));
  } else if (is_real(value.element)) {
    fold_reals(value, counted(*start, *step, length));
  }
}

void infer_eye_like(OpContext& op) {
  const ElementType element = element_type(op.attribute("dtype", 0), op.element(0));
  Value& value = op.like(0, 0, element);
  if (!op.ranked(0)) return;
  if (op.rank(0) != 2) {
    op.complain_shape(0, "a matrix");
    return;
  }
  if (!is_small(value) || value.elements() == 0) return;
  const std::int64_t rows = op.dim(0, 0), columns = op.dim(0, 1);
  const std::int64_t diagonal = std::clamp(op.attribute("k", 0), -rows - 1, columns + 1);
  Dims numbers;
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns; ++column) {
      numbers.push_back(column - row == diagonal ? 1 : 0);
    }
  }
  if (is_integer(element)) {
    fold_integers(value, std::move(numbers));
  } else if (is_real(element)) {
    fold_reals(value, std::vector<double>(numbers.begin(), numbers.end()));
  }
}

void infer_random(OpContext& op) {
  const ElementType element = element_type(op.attribute("dtype", 1), ElementType::float32);
  op.tensor(0, element, clean(op.attribute_list("shape").value_or(Dims{})));
  op.work(kRandom * volume(op.out(0).dims));
}

void infer_random_like(OpContext& op) {
  op.like(0, 0, element_type(op.attribute("dtype", 0), op.element(0)));
  op.work(kRandom * op.volume_of(0));
}

void infer_multinomial(OpContext& op) {
  const std::int64_t samples = std::max(op.attribute("sample_size", 1), kUnknown);
  const ElementType element = element_type(op.attribute("dtype", 6), ElementType::int32);
  op.tensor(0, element, {op.dim(0, 0), samples});
  op.work(4 * op.volume_of(0) + kRandom * volume(op.out(0).dims));
}

constexpr Operator kOperators[] = {
    {kOnnx, "Bernoulli", infer_random_like},
    {kOnnx, "Constant", infer_constant},
    {kOnnx, "ConstantFill", infer_constant_fill},
    {kOnnx, "ConstantOfShape", infer_constant_of_shape},
    {kOnnx, "EyeLike", infer_eye_like},
    {kOnnx, "Multinomial", infer_multinomial},
    {kOnnx, "RandomNormal", infer_random},
    {kOnnx, "RandomNormalLike", infer_random_like},
    {kOnnx, "RandomUniform", infer_random},
    {kOnnx, "RandomUniformLike", infer_random_like},
    {kOnnx, "Range", infer_range},
    {kMicrosoft, "Range", infer_range},
};

}  // namespace

std::span<const Operator> generation_operators() { return kOperators; }

}  // namespace berth::onnx
