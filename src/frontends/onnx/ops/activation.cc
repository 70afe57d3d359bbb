// Operators of one input, element by element, and casts.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "frontends/onnx/ops/elementwise.h"
#include "frontends/onnx/ops/families.h"

namespace berth::onnx {
namespace {

using Real = double (*)(double);
using Integer = std::int64_t (*)(std::int64_t);

// Integers that are not known never reach the function; NaN passes through every one of these.
void fold_each(OpContext& op, Real real, Integer integer) {
  const auto& contents = op.in(0).contents;
  if (!contents) return;
  if (!contents->reals.empty() && real != nullptr) {
    std::vector<double> numbers;
    numbers.reserve(contents->reals.size());
    for (const double number : contents->reals) numbers.push_back(real(number));
    fold_reals(op.out(0), std::move(numbers));
  } else if (contents->reals.empty() && integer != nullptr) {
    std::vector<std::int64_t> numbers;
    numbers.reserve(contents->integers.size());
    for (const std::int64_t number : contents->integers) {
      numbers.push_back(is_known(number) ? integer(number) : number);
    }
    fold_integers(op.out(0), std::move(numbers));
  }
}

template <int Flops, Real real, Integer integer = nullptr>
void unary(OpContext& op) {
  set_unary(op, Flops);
  fold_each(op, real, integer);
}

double absolute(double x) { return std::fabs(x); }
std::int64_t absolute(std::int64_t x) { return x < 0 ? -x : x; }
double negative(double x) { return -x; }
std::int64_t negative(std::int64_t x) { return -x; }
double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }
std::int64_t sign(std::int64_t x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }
double relu(double x) { return x < 0 ? 0 : x; }
std::int64_t relu(std::int64_t x) { return std::max<std::int64_t>(x, 0); }
std::int64_t inverted_bits(std::int64_t x) { return ~x; }
std::int64_t inverted_truth(std::int64_t x) { return x == 0 ? 1 : 0; }
double inverse(double x) { return 1 / x; }
double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double floor_of(double x) { return std::floor(x); }
double ceil_of(double x) { return std::ceil(x); }
double root_of(double x) { return std::sqrt(x); }
double nearest(double x) { return std::nearbyint(x); }  // ties to even, as the format wants
double exp_of(double x) { return std::exp(x); }
double log_of(double x) { return std::log(x); }
double tanh_of(double x) { return std::tanh(x); }
double erf_of(double x) { return std::erf(x); }
std::int64_t itself(std::int64_t x) { return x; }

void infer_predicate(OpContext& op) {
  op.like(0, 0, ElementType::boolean);
  op.work(op.volume_of(0));
}

// The bound from an input, an attribute, or none.
double bound(const OpContext& op, std::size_t index, std::string_view name, double none) {
  if (op.has(index)) return op.real(index).value_or(std::numeric_limits<double>::quiet_NaN());
  return op.attribute_real(name, none);
}

std::int64_t clipped(std::int64_t number, double low, double high) {
  if (!is_known(number) || low != low || high != high) return kUnknownElement;
  if (static_cast<double>(number) > high) return integer_of(high);
  if (static_cast<double>(number) < low) return integer_of(low);
  return number;
}

void infer_clip(OpContext& op) {
  set_unary(op, 2);
  const auto& contents = op.in(0).contents;
  if (!contents) return;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double low = bound(op, 1, "min", -kInfinity);
  const double high = bound(op, 2, "max", kInfinity);
  Contents result = *contents;
  for (std::int64_t& number : result.integers) number = clipped(number, low, high);
  for (double& number : result.reals) {
    const bool known = number == number && low == low && high == high;
    number = known ? std::min(std::max(number, low), high) : std::nan("");
  }
  op.out(0).contents = std::move(result);
}

// Opset 1 to 5 wrote the type of a cast as its name.
ElementType type_named(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, ElementType>, 12> kNames = {{
      {"FLOAT", ElementType::float32},
      {"UINT8", ElementType::uint8},
      {"INT8", ElementType::int8},
      {"UINT16", ElementType::uint16},
      {"INT16", ElementType::int16},
      {"INT32", ElementType::int32},
      {"INT64", ElementType::int64},
      {"BOOL", ElementType::boolean},
      {"FLOAT16", ElementType::float16},
      {"DOUBLE", ElementType::float64},
      {"UINT32", ElementType::uint32},
      {"UINT64", ElementType::uint64},
  }};
  for (const auto& [known, type] : kNames) {
    if (known == name) return type;
  }
  return ElementType::undefined;
}

std::int64_t truth_of(double number) {
  if (number != number) return kUnknownElement;
  return number != 0 ? 1 : 0;
}

void fold_cast(OpContext& op) {
  const auto& contents = op.in(0).contents;
  Value& value = op.out(0);
  if (is_integer(op.element(0)) && is_integer(value.element)) value.offset = op.in(0).offset;
  if (!contents) return;
  if (is_integer(value.element)) {
    Dims numbers = contents->integers;
    const bool truth = value.element == ElementType::boolean;
    for (const double real : contents->reals) {
      numbers.push_back(truth ? truth_of(real) : integer_of(real));
    }
    fold_integers(value, std::move(numbers));
  } else if (is_real(value.element)) {
    std::vector<double> numbers = contents->reals;
    for (const std::int64_t integer : contents->integers) numbers.push_back(real_of(integer));
    fold_reals(value, std::move(numbers));
  }
}

void infer_cast_to(OpContext& op, ElementType type) {
  op.like(0, 0, type);
  op.work(op.volume_of(0));
  fold_cast(op);
}

void infer_cast(OpContext& op) {
  const ElementType named = type_named(op.attribute_text("to", ""));
  infer_cast_to(op, element_type(op.attribute("to", 0), named));
}

void infer_cast_like(OpContext& op) { infer_cast_to(op, op.element(1)); }

constexpr Operator kOperators[] = {
    {kOnnx, "Abs", unary<1, absolute, absolute>},
    {kOnnx, "Acos", same_shape<4>},
    {kOnnx, "Acosh", same_shape<4>},
    {kOnnx, "Affine", same_shape<2>},
    {kOnnx, "Asin", same_shape<4>},
    {kOnnx, "Asinh", same_shape<4>},
    {kOnnx, "Atan", same_shape<4>},
    {kOnnx, "Atanh", same_shape<4>},
    {kOnnx, "BitwiseNot", unary<1, nullptr, inverted_bits>},
    {kOnnx, "Cast", infer_cast},
    {kOnnx, "CastLike", infer_cast_like},
    {kOnnx, "Ceil", unary<1, ceil_of, itself>},
    {kOnnx, "Celu", same_shape<4>},
    {kOnnx, "Clip", infer_clip},
    {kOnnx, "Cos", same_shape<4>},
    {kOnnx, "Cosh", same_shape<4>},
    {kOnnx, "Elu", same_shape<4>},
    {kOnnx, "Erf", unary<4, erf_of>},
    {kOnnx, "Exp", unary<4, exp_of>},
    {kOnnx, "Floor", unary<1, floor_of, itself>},
    {kOnnx, "Gelu", same_shape<8>},
    {kOnnx, "HardSigmoid", same_shape<4>},
    {kOnnx, "HardSwish", same_shape<4>},
    {kOnnx, "ImageScaler", same_shape<2>},
    {kOnnx, "IsInf", infer_predicate},
    {kOnnx, "IsNaN", infer_predicate},
    {kOnnx, "LeakyRelu", same_shape<2>},
    {kOnnx, "Log", unary<4, log_of>},
    {kOnnx, "Mish", same_shape<8>},
    {kOnnx, "Neg", unary<1, negative, negative>},
    {kOnnx, "Not", unary<1, nullptr, inverted_truth>},
    {kOnnx, "ParametricSoftplus", same_shape<6>},
    {kOnnx, "Reciprocal", unary<1, inverse>},
    {kOnnx, "Relu", unary<1, relu, relu>},
    {kOnnx, "Round", unary<1, nearest, itself>},
    {kOnnx, "ScaledTanh", same_shape<6>},
    {kOnnx, "Selu", same_shape<4>},
    {kOnnx, "Shrink", same_shape<2>},
    {kOnnx, "Sigmoid", unary<4, sigmoid>},
    {kOnnx, "Sign", unary<1, sign, sign>},
    {kOnnx, "Sin", same_shape<4>},
    {kOnnx, "Sinh", same_shape<4>},
    {kOnnx, "Softplus", same_shape<4>},
    {kOnnx, "Softsign", same_shape<2>},
    {kOnnx, "Sqrt", unary<4, root_of>},
    {kOnnx, "Swish", same_shape<4>},
    {kOnnx, "Tan", same_shape<4>},
    {kOnnx, "Tanh", unary<4, tanh_of>},
    {kOnnx, "ThresholdedRelu", same_shape<1>},
    {kMicrosoft, "Gelu", same_shape<8>},
    {kMicrosoft, "QuickGelu", same_shape<5>},
};

}  // namespace

std::span<const Operator> activation_operators() { return kOperators; }

}  // namespace berth::onnx
