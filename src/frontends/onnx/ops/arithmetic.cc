// Operators of two and more inputs, element by element. All of them are folded: shapes are computed
// with them.
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "frontends/onnx/ops/elementwise.h"
#include "frontends/onnx/ops/families.h"

namespace berth::onnx {
namespace {

using Integer = std::int64_t;
using Word = std::uint64_t;

constexpr std::size_t kMostFolded = 16;  // inputs; no model adds up more shapes than that

Integer wrapped(Word word) { return static_cast<Integer>(word); }

struct Plus {
  static Integer of(Integer a, Integer b) {
    Integer sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? kTooLarge : sum;
  }
  static double of(double a, double b) { return a + b; }
};
struct Minus {
  static Integer of(Integer a, Integer b) {
    Integer difference = 0;
    return __builtin_sub_overflow(a, b, &difference) ? kTooLarge : difference;
  }
  static double of(double a, double b) { return a - b; }
};
struct Times {
  static Integer of(Integer a, Integer b) {
    Integer result = 0;
    return __builtin_mul_overflow(a, b, &result) ? kTooLarge : result;
  }
  static double of(double a, double b) { return a * b; }
};
struct Quotient {
  static Integer of(Integer a, Integer b) { return b == 0 ? kUnknownElement : a / b; }
  static double of(double a, double b) { return a / b; }
};
// The sign of the divisor.
struct Modulus {
  static Integer of(Integer a, Integer b) {
    if (b == 0) return kUnknownElement;
    const Integer rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
  }
  static double of(double a, double b) { return a - b * std::floor(a / b); }
};
// The sign of the dividend.
struct Remainder {
  static Integer of(Integer a, Integer b) { return b == 0 ? kUnknownElement : a % b; }
  static double of(double a, double b) { return std::fmod(a, b); }
};
struct Power {
  static Integer of(Integer base, Integer exponent) {
    if (exponent < 0) return base == 1 ? 1 : base == -1 ? (exponent % 2 == 0 ? 1 : -1) : 0;
    if (exponent == 0) return 1;
    if (base >= -1 && base <= 1) return base == -1 && exponent % 2 == 0 ? 1 : base;
    Integer result = 1;
    for (; exponent > 0; --exponent) {  // soon too large
      if (__builtin_mul_overflow(result, base, &result)) return kTooLarge;
    }
    return result;
  }
  static double of(double a, double b) { return std::pow(a, b); }
};
struct Larger {
  static Integer of(Integer a, Integer b) { return std::max(a, b); }
  static double of(double a, double b) { return a != a || b != b ? a + b : std::max(a, b); }
};
struct Smaller {
  static Integer of(Integer a, Integer b) { return std::min(a, b); }
  static double of(double a, double b) { return a != a || b != b ? a + b : std::min(a, b); }
};
struct OnlyIntegers {};
struct ShiftLeft : OnlyIntegers {
  static Integer of(Integer a, Integer b) {
    return b < 0 || b > 63 ? kUnknownElement : wrapped(Word(a) << b);
  }
};
struct ShiftRight : OnlyIntegers {
  static Integer of(Integer a, Integer b) {
    return b < 0 || b > 63 ? kUnknownElement : wrapped(Word(a) >> b);
  }
};
struct BitAnd : OnlyIntegers {
  static Integer of(Integer a, Integer b) { return a & b; }
};
struct BitOr : OnlyIntegers {
  static Integer of(Integer a, Integer b) { return a | b; }
};
struct BitXor : OnlyIntegers {
  static Integer of(Integer a, Integer b) { return a ^ b; }
};
struct IsEqual {
  template <typename Number>
  static bool of(Number a, Number b) {
    return a == b;
  }
};
struct IsLess {
  template <typename Number>
  static bool of(Number a, Number b) {
    return a < b;
  }
};
struct IsLessOrEqual {
  template <typename Number>
  static bool of(Number a, Number b) {
    return a <= b;
  }
};
struct IsGreater {
  template <typename Number>
  static bool of(Number a, Number b) {
    return a > b;
  }
};
struct IsGreaterOrEqual {
  template <typename Number>
  static bool of(Number a, Number b) {
    return a >= b;
  }
};

template <typename Function>
constexpr bool applies_to_reals = !std::is_base_of_v<OnlyIntegers, Function>;

// One element, with unknown ones as the type of the inputs writes them.
template <typename Function>
double apply(double a, double b) {
  if (a != a || b != b) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(Function::of(a, b));
}

template <typename Function>
Integer apply(Integer a, Integer b) {
  if (a == kTooLarge || b == kTooLarge) return kTooLarge;
  if (!is_known(a) || !is_known(b)) return kUnknownElement;
  return static_cast<Integer>(Function::of(a, b));
}

std::vector<double> reals_of(const Contents& contents) {
  if (contents.integers.empty()) return contents.reals;
  std::vector<double> reals;
  reals.reserve(contents.integers.size());
  for (const Integer number : contents.integers) reals.push_back(real_of(number));
  return reals;
}

template <typename Function, typename Number>
std::vector<Number> zip(const std::vector<Number>& left, std::span<const Integer> left_indices,
                        const std::vector<Number>& right, std::span<const Integer> right_indices) {
  std::vector<Number> result;
  result.reserve(left_indices.size());
  for (std::size_t element = 0; element < left_indices.size(); ++element) {
    result.push_back(apply<Function>(left.at(static_cast<std::size_t>(left_indices[element])),
                                     right.at(static_cast<std::size_t>(right_indices[element]))));
  }
  return result;
}

void set_contents(Value& value, std::vector<double> numbers) {
  if (is_real(value.element)) {
    fold_reals(value, std::move(numbers));
    return;
  }
  std::vector<Integer> integers;
  integers.reserve(numbers.size());
  for (const double number : numbers) integers.push_back(integer_of(number));
  fold_integers(value, std::move(integers));
}

// Contents of the output from those of two operands that broadcast to its shape.
template <typename Function>
void fold_pair(Value& value, const Value& left, const Value& right) {
  if ((!left.contents && !right.contents) || !is_small(value)) return;
  const auto left_contents = contents_or_unknown(left);
  const auto right_contents = contents_or_unknown(right);
  if (!left_contents || !right_contents) return;
  const auto left_indices = walk(value.dims, broadcast_strides(left.dims, value.dims));
  const auto right_indices = walk(value.dims, broadcast_strides(right.dims, value.dims));
  if (left_contents->reals.empty() && right_contents->reals.empty()) {
    if (!is_integer(value.element)) return;
    fold_integers(value, zip<Function>(left_contents->integers, left_indices,
                                       right_contents->integers, right_indices));
    return;
  }
  if constexpr (applies_to_reals<Function>) {
    set_contents(value, zip<Function>(reals_of(*left_contents), left_indices,
                                      reals_of(*right_contents), right_indices));
  }
}

// Until opset 6 the second operand was aligned with the first at a given axis.
bool lays_upon_first(const OpContext& op) {
  return op.opset() < 7 && op.has_attribute("broadcast");
}

void set_pair(OpContext& op, ElementType element, double flops) {
  if (!lays_upon_first(op)) {
    set_broadcast(op, element, 0, 2, flops);
    return;
  }
  op.like(0, 0, element);
  op.work(flops * op.volume_of(0));
}

// A number only known at run time, plus or minus a known one.
void infer_offset(OpContext& op, std::size_t open, std::size_t known, std::int64_t sign) {
  const auto& offset = op.in(open).offset;
  const auto number = op.integer(known);
  if (!offset || !number || op.out(0).elements() != 1) return;
  std::int64_t by = 0;
  if (__builtin_mul_overflow(*number, sign, &by) || __builtin_add_overflow(offset->by, by, &by)) {
    return;
  }
  op.out(0).offset = Offset{.of = offset->of, .by = by};
}

template <typename Function, int Flops = 1>
void arithmetic(OpContext& op) {
  set_pair(op, op.element(0), Flops);
  if (!lays_upon_first(op)) fold_pair<Function>(op.out(0), op.in(0), op.in(1));
}

template <typename Function>
void comparison(OpContext& op) {
  set_pair(op, ElementType::boolean, kPlain);
  if (!lays_upon_first(op)) fold_pair<Function>(op.out(0), op.in(0), op.in(1));
}

void infer_add(OpContext& op) {
  arithmetic<Plus>(op);
  infer_offset(op, 0, 1, 1);
  infer_offset(op, 1, 0, 1);
}

void infer_subtract(OpContext& op) {
  arithmetic<Minus>(op);
  infer_offset(op, 0, 1, -1);
}

void infer_modulus(OpContext& op) {
  if (op.attribute("fmod", 0) != 0) {
    arithmetic<Remainder, 4>(op);
  } else {
    arithmetic<Modulus, 4>(op);
  }
}

void infer_shift(OpContext& op) {
  if (op.attribute_text("direction", "LEFT") == "RIGHT") {
    arithmetic<ShiftRight>(op);
  } else {
    arithmetic<ShiftLeft>(op);
  }
}

// Sum, Max, Min: any number of inputs, taken one after the other.
template <typename Function>
void accumulation(OpContext& op) {
  const auto terms = static_cast<double>(std::max<std::size_t>(op.input_count(), 2) - 1);
  set_broadcast(op, op.element(0), 0, op.input_count(), terms);
  if (!op.out(0).has_rank || op.input_count() > kMostFolded) return;
  Value total = op.in(0);
  for (std::size_t index = 1; index < op.input_count(); ++index) {
    Value next = op.out(0);
    fold_pair<Function>(next, total, op.in(index));
    total = std::move(next);
  }
  if (total.dims == op.out(0).dims) op.out(0).contents = total.contents;
}

void infer_mean(OpContext& op) {
  accumulation<Plus>(op);
  Value& value = op.out(0);
  if (!value.contents) return;
  for (double& number : value.contents->reals) {
    number = narrow(value.element, number / static_cast<double>(op.input_count()));
  }
}

template <typename Number>
std::vector<Number> choose(const Dims& conditions, const std::vector<Number>& yes,
                           std::span<const Integer> yes_indices, const std::vector<Number>& no,
                           std::span<const Integer> no_indices, Number unknown) {
  std::vector<Number> chosen;
  chosen.reserve(conditions.size());
  for (std::size_t element = 0; element < conditions.size(); ++element) {
    const Number if_yes = yes.at(static_cast<std::size_t>(yes_indices[element]));
    const Number if_no = no.at(static_cast<std::size_t>(no_indices[element]));
    const bool open = !is_known(conditions[element]);
    chosen.push_back(open ? (if_yes == if_no ? if_yes : unknown)
                          : (conditions[element] != 0 ? if_yes : if_no));
  }
  return chosen;
}

void infer_where(OpContext& op) {
  set_broadcast(op, op.element(1), 0, 3, kPlain);
  Value& value = op.out(0);
  if (!is_small(value) || !op.in(0).contents) return;
  const auto yes = contents_or_unknown(op.in(1));
  const auto no = contents_or_unknown(op.in(2));
  if (!yes || !no || yes->reals.empty() != no->reals.empty()) return;
  const auto indices = [&](std::size_t index) {
    return walk(value.dims, broadcast_strides(op.dims(index), value.dims));
  };
  const Dims conditions = pick(*op.in(0).contents, indices(0)).integers;
  if (yes->reals.empty()) {
    value.contents = Contents{.integers = choose(conditions, yes->integers, indices(1),
                                                 no->integers, indices(2), kUnknownElement),
                              .reals = {}};
  } else {
    value.contents =
        Contents{.integers = {},
                 .reals = choose(conditions, yes->reals, indices(1), no->reals, indices(2),
                                 std::numeric_limits<double>::quiet_NaN())};
  }
}

constexpr Operator kOperators[] = {
    {kOnnx, "Add", infer_add},
    {kOnnx, "And", comparison<BitAnd>},
    {kOnnx, "BitShift", infer_shift},
    {kOnnx, "BitwiseAnd", arithmetic<BitAnd>},
    {kOnnx, "BitwiseOr", arithmetic<BitOr>},
    {kOnnx, "BitwiseXor", arithmetic<BitXor>},
    {kOnnx, "Div", arithmetic<Quotient>},
    {kOnnx, "Equal", comparison<IsEqual>},
    {kOnnx, "Greater", comparison<IsGreater>},
    {kOnnx, "GreaterOrEqual", comparison<IsGreaterOrEqual>},
    {kOnnx, "Less", comparison<IsLess>},
    {kOnnx, "LessOrEqual", comparison<IsLessOrEqual>},
    {kOnnx, "Max", accumulation<Larger>},
    {kOnnx, "Mean", infer_mean},
    {kOnnx, "Min", accumulation<Smaller>},
    {kOnnx, "Mod", infer_modulus},
    {kOnnx, "Mul", arithmetic<Times>},
    {kOnnx, "Or", comparison<BitOr>},
    {kOnnx, "PRelu", same_shape<2>},  // the slope is broadcast to the data, never the other way
    {kOnnx, "Pow", arithmetic<Power, 4>},
    {kOnnx, "Sub", infer_subtract},
    {kOnnx, "Sum", accumulation<Plus>},
    {kOnnx, "Where", infer_where},
    {kOnnx, "Xor", comparison<BitXor>},
};

}  // namespace

std::span<const Operator> arithmetic_operators() { return kOperators; }

}  // namespace berth::onnx
