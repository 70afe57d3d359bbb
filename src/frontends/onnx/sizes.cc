#include "frontends/onnx/sizes.h"

#include <algorithm>
#include <cmath>

#include "frontends/onnx/constant.h"

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

std::optional<std::int64_t> bytes_of(ElementType element, std::optional<std::int64_t> elements) {
  if (!elements) return std::nullopt;
  std::int64_t result = 0;
  if (element == ElementType::string) {
    if (__builtin_mul_overflow(*elements, kStringBytes, &result)) return std::nullopt;
    return result;
  }
  const int bits = element_bits(element);
  if (bits <= 0) return std::nullopt;
  if (bits % 8 == 0) {
    if (__builtin_mul_overflow(*elements, bits / 8, &result)) return std::nullopt;
    return result;
  }
  if (__builtin_mul_overflow(*elements, bits, &result)) return std::nullopt;
  return result / 8 + (result % 8 != 0);
}

std::optional<std::int64_t> bytes_of(const Value& value) {
  switch (value.kind) {
    case Type::Kind::tensor:
    case Type::Kind::sparse_tensor:
      return bytes_of(value.element, value.elements());
    case Type::Kind::optional:
      return value.inner.empty() ? std::nullopt : bytes_of(value.inner.front());
    case Type::Kind::sequence: {
      if (value.length == 0) return 0;
      if (value.length < 0 || value.inner.empty()) return std::nullopt;
      const auto element = bytes_of(value.inner.front());
      std::int64_t result = 0;
      if (!element || __builtin_mul_overflow(*element, value.length, &result)) return std::nullopt;
      return result;
    }
    default:
      return std::nullopt;
  }
}

bool fully_known(const Value& value) {
  if (!value.contents) return false;
  const auto& [integers, reals] = *value.contents;
  return std::find(integers.begin(), integers.end(), Contents::kUnknownElement) == integers.end() &&
         std::none_of(reals.begin(), reals.end(), [](double real) { return std::isnan(real); });
}

}  // namespace berth::onnx
