#include "frontends/onnx/sizes.h"

#include <algorithm>
#include <cmath>

#include "frontends/onnx/constant.h"
#include "frontends/onnx/ops/extents.h"

namespace berth::onnx {

DType dtype_of(ElementType element) {
  switch (element) {
    case ElementType::float32:
      return DType::f32;
    case ElementType::uint8:
      return DType::u8;
    case ElementType::int8:
      return DType::i8;
    case ElementType::uint16:
      return DType::u16;
    case ElementType::int16:
      return DType::i16;
    case ElementType::int32:
      return DType::i32;
    case ElementType::int64:
      return DType::i64;
    case ElementType::boolean:
      return DType::boolean;
    case ElementType::float16:
      return DType::f16;
    case ElementType::float64:
      return DType::f64;
    case ElementType::uint32:
      return DType::u32;
    case ElementType::uint64:
      return DType::u64;
    case ElementType::complex64:
      return DType::c64;
    case ElementType::complex128:
      return DType::c128;
    case ElementType::bfloat16:
      return DType::bf16;
    case ElementType::float8e4m3fn:
    case ElementType::float8e4m3fnuz:
    case ElementType::float8e5m2:
    case ElementType::float8e5m2fnuz:
      return DType::f8;
    case ElementType::uint4:
      return DType::u4;
    case ElementType::int4:
      return DType::i4;
    default:
      return DType::unknown;
  }
}

namespace {

// These return kUnknown or kTooLarge where the number of bytes is not known or does not fit.
std::int64_t count_bytes(ElementType element, std::int64_t elements) {
  if (elements < 0) return elements;
  if (element == ElementType::string) return multiply(elements, kStringBytes);
  const int bits = element_bits(element);
  if (bits <= 0) return kUnknown;
  return bits < 8 ? divide_up(elements, 8 / bits) : multiply(elements, bits / 8);
}

std::int64_t count_elements(const std::vector<std::int64_t>& dims) {
  const std::int64_t elements = product(dims);
  const bool too_large = std::find(dims.begin(), dims.end(), kTooLarge) != dims.end();
  // An empty tensor takes no bytes, however large its other dimensions are.
  return too_large && elements != 0 ? kTooLarge : elements;
}

std::int64_t count_bytes(const Value& value) {
  switch (value.kind) {
    case Type::Kind::tensor:
    case Type::Kind::sparse_tensor:
      return value.has_rank ? count_bytes(value.element, count_elements(value.dims)) : kUnknown;
    case Type::Kind::optional:
      return value.inner.empty() ? kUnknown : count_bytes(value.inner.front());
    case Type::Kind::sequence:
      if (value.length == 0) return 0;
      if (value.length == kUnknown || value.inner.empty()) return kUnknown;
      return multiply(count_bytes(value.inner.front()), value.length);
    default:
      return kUnknown;
  }
}

std::optional<std::int64_t> if_known(std::int64_t bytes) {
  return bytes < 0 ? std::nullopt : std::optional(bytes);
}

}  // namespace

std::optional<std::int64_t> bytes_of(ElementType element, std::optional<std::int64_t> elements) {
  return elements ? if_known(count_bytes(element, *elements)) : std::nullopt;
}

std::optional<std::int64_t> bytes_of(const Value& value) { return if_known(count_bytes(value)); }

bool is_too_large(const Value& value) { return count_bytes(value) == kTooLarge; }

bool fully_known(const Value& value) {
  if (!value.contents) return false;
  const auto& [integers, reals] = *value.contents;
  return std::all_of(integers.begin(), integers.end(), Contents::is_known) &&
         std::none_of(reals.begin(), reals.end(), [](double real) { return std::isnan(real); });
}

}  // namespace berth::onnx
