#include "frontends/onnx/constant.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "frontends/onnx/ops/fold.h"

namespace berth::onnx {
namespace {

// Field numbers of TensorProto.
enum Field : std::uint32_t {
  kFloatData = 4,
  kInt32Data = 5,
  kInt64Data = 7,
  kDoubleData = 10,
  kUint64Data = 11,
};

// Reads little-endian words and varints from a payload, one after the other.
class Payload {
 public:
  explicit Payload(std::string_view bytes) : bytes_(bytes) {}

  bool done() const { return bytes_.empty(); }

  std::optional<std::uint64_t> word(std::size_t size) {
    if (bytes_.size() < size) return std::nullopt;
    std::uint64_t word = 0;
    for (std::size_t byte = 0; byte < size; ++byte) {
      word |= std::uint64_t{static_cast<unsigned char>(bytes_[byte])} << (8 * byte);
    }
    bytes_.remove_prefix(size);
    return word;
  }

  std::optional<std::uint64_t> varint() {
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < 70 && !bytes_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes_.front());
      bytes_.remove_prefix(1);
      if (shift < 64) number |= std::uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) return number;
    }
    return std::nullopt;
  }

 private:
  std::string_view bytes_;
};

double from_half(std::uint64_t bits) {
  const auto fraction = static_cast<double>(bits & 0x3ffU);
  const int exponent = static_cast<int>((bits >> 10) & 0x1fU);
  double magnitude = 0;
  if (exponent == 31) {
    magnitude = fraction == 0 ? std::numeric_limits<double>::infinity()
                              : std::numeric_limits<double>::quiet_NaN();
  } else if (exponent == 0) {
    // Subnormal: no leading one, and the smallest exponent.
    magnitude = std::ldexp(fraction, -24);
  } else {
    magnitude = std::ldexp(fraction + 1024, exponent - 25);
  }
  return (bits & 0x8000U) != 0 ? -magnitude : magnitude;
}

double from_single(std::uint64_t bits) {
  return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
}

double real_from(ElementType element, std::uint64_t bits) {
  switch (element) {
    case ElementType::float16:
      return from_half(bits);
    case ElementType::bfloat16:
      return from_single((bits & 0xffffU) << 16);
    case ElementType::float32:
      return from_single(bits);
    default:
      return std::bit_cast<double>(bits);
  }
}

// The smallest integers stand for "unknown" and "too large" here. A file that uses one as a number
// (as the end of a reversed slice) means the same with its neighbour.
std::int64_t integer_from(ElementType element, std::uint64_t bits) {
  const auto number = static_cast<std::int64_t>(bits);
  if (element == ElementType::uint64 && number < 0) return kUnknownElement;
  if (!is_known(number)) return number + 1;
  return wrap(element, number);
}

void append(Contents& contents, ElementType element, std::uint64_t bits) {
  if (is_real(element)) {
    contents.reals.push_back(real_from(element, bits));
  } else {
    contents.integers.push_back(integer_from(element, bits));
  }
}

std::size_t size_of(const Contents& contents) {
  return contents.integers.size() + contents.reals.size();
}

// Two elements per byte, the first in the low half; the last half may be padding.
void append_nibbles(Contents& contents, ElementType element, std::uint64_t byte,
                    std::size_t elements) {
  append(contents, element, byte & 0xfU);
  if (size_of(contents) < elements) append(contents, element, (byte >> 4) & 0xfU);
}

bool has_nibbles(ElementType element) { return element_bits(element) == 4; }

std::optional<Contents> decode_raw(const Tensor& tensor, std::size_t elements) {
  Contents contents;
  Payload payload(tensor.raw);
  const bool nibbles = has_nibbles(tensor.element);
  const auto bytes = nibbles ? 1U : static_cast<std::size_t>(element_bits(tensor.element) / 8);
  while (size_of(contents) < elements) {
    const auto word = payload.word(bytes);
    if (!word) return std::nullopt;
    if (nibbles) {
      append_nibbles(contents, tensor.element, *word, elements);
    } else {
      append(contents, tensor.element, *word);
    }
  }
  if (!payload.done()) return std::nullopt;
  return contents;
}

// Whether this field may hold this type: the format gives each type one field.
bool belongs(ElementType element, std::uint32_t field) {
  switch (element) {
    case ElementType::float32:
      return field == kFloatData;
    case ElementType::float64:
      return field == kDoubleData;
    case ElementType::int64:
      return field == kInt64Data;
    case ElementType::uint32:
    case ElementType::uint64:
      return field == kUint64Data;
    default:
      return field == kInt32Data;
  }
}

// The format allows a field in several packed runs, and values one by one. On the wire all of these
// are the same sequence.
std::optional<Contents> decode_fields(const Tensor& tensor, std::size_t elements) {
  if (elements != 0 && !belongs(tensor.element, tensor.packed_field)) return std::nullopt;
  Contents contents;
  for (const std::string_view run : tensor.packed) {
    Payload payload(run);
    while (!payload.done()) {
      // More values than the shape has elements: the file contradicts itself, so nothing is known.
      if (size_of(contents) == elements) return std::nullopt;
      const auto word = tensor.packed_field == kFloatData    ? payload.word(4)
                        : tensor.packed_field == kDoubleData ? payload.word(8)
                                                             : payload.varint();
      if (!word) return std::nullopt;
      if (has_nibbles(tensor.element)) {
        append_nibbles(contents, tensor.element, *word, elements);
      } else {
        append(contents, tensor.element, *word);
      }
    }
  }
  if (size_of(contents) != elements) return std::nullopt;
  return contents;
}

}  // namespace

Value value_of(const Tensor& tensor) {
  Value value;
  value.kind = Type::Kind::tensor;
  value.element = tensor.element;
  if (tensor.dims.size() > kMaxRank) return value;
  value.has_rank = true;
  value.dims = tensor.dims;
  for (std::int64_t& dim : value.dims) dim = dim < 0 ? kUnknown : dim;
  if (tensor.external || !is_small(value)) return value;
  if (!is_integer(tensor.element) && !is_real(tensor.element)) return value;
  const auto elements = static_cast<std::size_t>(*value.elements());
  // Without any payload the tensor is decoded as raw, which succeeds only if it has no elements.
  const bool raw = !tensor.raw.empty() || tensor.packed.empty();
  value.contents = raw ? decode_raw(tensor, elements) : decode_fields(tensor, elements);
  return value;
}

int element_bits(ElementType element) {
  switch (element) {
    case ElementType::uint4:
    case ElementType::int4:
    case ElementType::float4e2m1:
      return 4;
    case ElementType::uint8:
    case ElementType::int8:
    case ElementType::boolean:
    case ElementType::float8e4m3fn:
    case ElementType::float8e4m3fnuz:
    case ElementType::float8e5m2:
    case ElementType::float8e5m2fnuz:
      return 8;
    case ElementType::uint16:
    case ElementType::int16:
    case ElementType::float16:
    case ElementType::bfloat16:
      return 16;
    case ElementType::float32:
    case ElementType::int32:
    case ElementType::uint32:
      return 32;
    case ElementType::int64:
    case ElementType::float64:
    case ElementType::uint64:
    case ElementType::complex64:
      return 64;
    case ElementType::complex128:
      return 128;
    default:
      return 0;
  }
}

}  // namespace berth::onnx
