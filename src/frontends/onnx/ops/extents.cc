#include "frontends/onnx/ops/extents.h"

#include <fmt/format.h>

#include <algorithm>

namespace berth::onnx {

namespace {

// The result of a sum or product with an operand that is no number: too large, or else unknown.
std::int64_t either_flaw(std::int64_t left, std::int64_t right) {
  return left == kTooLarge || right == kTooLarge ? kTooLarge : kUnknown;
}

}  // namespace

std::int64_t add(std::int64_t left, std::int64_t right) {
  if (left < 0 || right < 0) return either_flaw(left, right);
  std::int64_t sum = 0;
  return __builtin_add_overflow(left, right, &sum) ? kTooLarge : sum;
}

std::int64_t subtract(std::int64_t left, std::int64_t right) {
  if (left < 0 || right < 0 || right > left) return kUnknown;
  return left - right;
}

std::int64_t multiply(std::int64_t left, std::int64_t right) {
  if (left < 0 || right < 0) return either_flaw(left, right);
  std::int64_t result = 0;
  return __builtin_mul_overflow(left, right, &result) ? kTooLarge : result;
}

std::int64_t divide(std::int64_t left, std::int64_t right) {
  return left < 0 || right <= 0 ? kUnknown : left / right;
}

std::int64_t divide_up(std::int64_t left, std::int64_t right) {
  if (left < 0 || right <= 0) return kUnknown;
  return left / right + (left % right != 0 ? 1 : 0);
}

std::int64_t product(std::span<const std::int64_t> dims) {
  bool known = true;
  std::int64_t result = 1;
  for (const std::int64_t dim : dims) {
    if (dim == 0) return 0;  // whatever the others are
    known = known && dim != kUnknown;
    result = multiply(result, dim);
  }
  return known ? result : kUnknown;  // an unknown one may be 0
}

std::int64_t as_dim(std::int64_t element) {
  return element == kTooLarge ? kTooLarge : std::max(element, kUnknown);
}

std::int64_t at_most(std::int64_t dim, std::int64_t limit) {
  if (dim < 0) return limit;
  return limit < 0 ? dim : std::min(dim, limit);
}

double extent(std::int64_t dim) { return dim < 0 ? 1.0 : static_cast<double>(dim); }

double volume(std::span<const std::int64_t> dims) {
  double result = 1;
  for (const std::int64_t dim : dims) {
    if (dim == 0) return 0;
    result *= extent(dim);
  }
  return result;
}

std::optional<std::int64_t> axis_of(std::int64_t axis, std::size_t rank) {
  const auto limit = static_cast<std::int64_t>(rank);
  if (axis < -limit || axis >= limit) return std::nullopt;
  return axis < 0 ? axis + limit : axis;
}

std::int64_t either(std::int64_t first, std::int64_t second) {
  return first >= 0 || first == kTooLarge ? first : second;
}

bool differ(std::int64_t first, std::int64_t second) {
  return first >= 0 && second >= 0 && first != second;
}

namespace {

// An unknown dimension beside a known one other than 1 can only be the same or 1.
std::optional<std::int64_t> broadcast_dim(std::int64_t left, std::int64_t right) {
  if (left == 1) return right;
  if (right == 1) return left;
  if (differ(left, right)) return std::nullopt;
  return either(left, right);
}

}  // namespace

std::optional<Dims> broadcast(const Dims& left, const Dims& right) {
  const Dims& longer = left.size() >= right.size() ? left : right;
  const Dims& shorter = left.size() >= right.size() ? right : left;
  Dims result = longer;
  const std::size_t offset = longer.size() - shorter.size();
  for (std::size_t axis = 0; axis < shorter.size(); ++axis) {
    const auto dim = broadcast_dim(longer[offset + axis], shorter[axis]);
    if (!dim) return std::nullopt;
    result[offset + axis] = *dim;
  }
  return result;
}

Dims strides_of(const Dims& dims) {
  Dims strides(dims.size(), 0);
  std::int64_t stride = 1;
  for (std::size_t axis = dims.size(); axis-- > 0;) {
    strides[axis] = stride;
    // Unknown or too large: strides of such a tensor are never used, and 0 stays within any tensor.
    stride = multiply(stride, dims[axis]);
    if (stride < 0) return Dims(dims.size(), 0);
  }
  return strides;
}

std::string text_of(const Dims& dims) {
  if (dims.empty()) return "a scalar";
  std::string text;
  for (const std::int64_t dim : dims) {
    if (!text.empty()) text += "x";
    text += dim < 0 ? std::string("?") : fmt::format("{}", dim);
  }
  return text;
}

}  // namespace berth::onnx
