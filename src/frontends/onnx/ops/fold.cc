#include "frontends/onnx/ops/fold.h"

#include <cmath>
#include <limits>
#include <utility>

#include "frontends/onnx/constant.h"

namespace berth::onnx {

bool is_integer(ElementType element) {
  switch (element) {
    case ElementType::uint8:
    case ElementType::int8:
    case ElementType::uint16:
    case ElementType::int16:
    case ElementType::int32:
    case ElementType::int64:
    case ElementType::boolean:
    case ElementType::uint32:
    case ElementType::uint64:
    case ElementType::uint4:
    case ElementType::int4:
      return true;
    default:
      return false;
  }
}

bool is_real(ElementType element) {
  switch (element) {
    case ElementType::float32:
    case ElementType::float16:
    case ElementType::float64:
    case ElementType::bfloat16:
      return true;
    default:
      return false;
  }
}

bool is_small(const Value& value) {
  const auto elements = value.elements();
  return elements && *elements <= kMaxContents;
}

std::int64_t wrap(ElementType element, std::int64_t number) {
  if (number == kTooLarge && element == ElementType::int64) return number;
  if (!is_known(number)) return kUnknownElement;
  if (element == ElementType::boolean) return number != 0 ? 1 : 0;
  const int bits = element_bits(element);
  if (bits <= 0 || bits > 64) return number;
  if (bits == 64) {
    return element == ElementType::uint64 && number < 0 ? kUnknownElement : number;
  }
  // As the hardware does: the low bits remain, and the highest of them is the sign.
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  const std::uint64_t low = static_cast<std::uint64_t>(number) & mask;
  const bool is_signed = element == ElementType::int8 || element == ElementType::int16 ||
                         element == ElementType::int32 || element == ElementType::int4;
  if (is_signed && (low >> (bits - 1)) != 0) return static_cast<std::int64_t>(low | ~mask);
  return static_cast<std::int64_t>(low);
}

namespace {

// Rounds to this many binary digits, ties to even.
double rounded(double number, int digits) {
  int exponent = 0;
  const double fraction = std::frexp(number, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, digits)), exponent - digits);
}

}  // namespace

double narrow(ElementType element, double number) {
  if (element == ElementType::float64 || !std::isfinite(number)) return number;
  // Digits of the significand with the leading one: 8 of bfloat16, 11 of float16.
  if (element == ElementType::bfloat16) return rounded(number, 8);
  if (element == ElementType::float16) {
    constexpr double kLargestHalf = 65504;
    const double half = rounded(number, 11);
    return std::fabs(half) > kLargestHalf ? std::copysign(HUGE_VAL, half) : half;
  }
  // A cast of a double beyond the range of float is undefined behaviour.
  constexpr double kLargest = std::numeric_limits<float>::max();
  if (number > kLargest) return std::numeric_limits<double>::infinity();
  if (number < -kLargest) return -std::numeric_limits<double>::infinity();
  return static_cast<double>(static_cast<float>(number));
}

std::int64_t integer_of(double number) {
  constexpr double kLimit = 9223372036854775808.0;  // 2^63
  if (number >= kLimit && std::isfinite(number)) return kTooLarge;
  // Written so that NaN is caught too.
  if (!(number > -kLimit && number < kLimit)) return kUnknownElement;
  return static_cast<std::int64_t>(number);
}

double real_of(std::int64_t number) {
  if (!is_known(number)) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(number);
}

std::optional<Contents> contents_or_unknown(const Value& value) {
  if (value.contents) return value.contents;
  if (!is_small(value)) return std::nullopt;
  const auto elements = static_cast<std::size_t>(*value.elements());
  Contents contents;
  if (is_integer(value.element)) {
    contents.integers.assign(elements, kUnknownElement);
  } else if (is_real(value.element)) {
    contents.reals.assign(elements, std::numeric_limits<double>::quiet_NaN());
  } else {
    return std::nullopt;
  }
  return contents;
}

std::vector<std::int64_t> walk(const Dims& dims, const Dims& strides, std::int64_t offset) {
  const std::int64_t elements = product(dims);
  if (elements <= 0 || elements > kMaxContents) return {};
  std::vector<std::int64_t> indices{offset};
  indices.reserve(static_cast<std::size_t>(elements));
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    if (dims[axis] == 1) continue;
    std::vector<std::int64_t> next;
    next.reserve(indices.size() * static_cast<std::size_t>(dims[axis]));
    for (const std::int64_t start : indices) {
      for (std::int64_t step = 0; step < dims[axis]; ++step) {
        next.push_back(start + step * strides[axis]);
      }
    }
    indices = std::move(next);
  }
  return indices;
}

Dims broadcast_strides(const Dims& from, const Dims& to) {
  Dims strides(to.size(), 0);
  if (from.size() > to.size()) return strides;
  const Dims own = strides_of(from);
  const std::size_t offset = to.size() - from.size();
  for (std::size_t axis = 0; axis < from.size(); ++axis) {
    if (from[axis] != 1) strides[offset + axis] = own[axis];
  }
  return strides;
}

namespace {

template <typename Number>
std::vector<Number> pick_numbers(const std::vector<Number>& from,
                                 std::span<const std::int64_t> indices, Number unknown) {
  std::vector<Number> picked;
  picked.reserve(indices.size());
  for (const std::int64_t index : indices) {
    const bool inside = index >= 0 && static_cast<std::size_t>(index) < from.size();
    picked.push_back(inside ? from[static_cast<std::size_t>(index)] : unknown);
  }
  return picked;
}

}  // namespace

Contents pick(const Contents& from, std::span<const std::int64_t> indices) {
  Contents picked;
  if (!from.reals.empty()) {
    picked.reals = pick_numbers(from.reals, indices, std::numeric_limits<double>::quiet_NaN());
  } else {
    picked.integers = pick_numbers(from.integers, indices, kUnknownElement);
  }
  return picked;
}

void fold_pick(OpContext& op, std::size_t output, std::size_t input, const Dims& strides,
               std::int64_t offset) {
  Value& value = op.out(output);
  if (!op.in(input).contents || !is_small(value) || strides.size() != value.dims.size()) return;
  value.contents = pick(*op.in(input).contents, walk(value.dims, strides, offset));
}

void fold_copy(OpContext& op, std::size_t output, std::size_t input) {
  op.out(output).contents = op.in(input).contents;
  op.out(output).offset = op.in(input).offset;
}

void fold_integers(Value& value, std::vector<std::int64_t> numbers) {
  for (std::int64_t& number : numbers) number = wrap(value.element, number);
  value.contents = Contents{.integers = std::move(numbers), .reals = {}};
}

void fold_reals(Value& value, std::vector<double> numbers) {
  for (double& number : numbers) number = narrow(value.element, number);
  value.contents = Contents{.integers = {}, .reals = std::move(numbers)};
}

}  // namespace berth::onnx
