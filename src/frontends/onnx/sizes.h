// The bytes that a value of an ONNX model takes, and the dtype of its elements.
#pragma once

#include <cstdint>
#include <optional>

#include "frontends/onnx/infer.h"
#include "graph/dtype.h"

namespace berth::onnx {

// A string counts as what a runtime keeps in the tensor itself: a pointer and a length. The length
// of the text is not known.
constexpr std::int64_t kStringBytes = 16;

// DType::unknown for strings and for types that Berth does not have; their bytes are known
// nevertheless.
DType dtype_of(ElementType element);

// Of so many elements of a type, packed where they are smaller than a byte.
std::optional<std::int64_t> bytes_of(ElementType element, std::optional<std::int64_t> elements);
// Of a value: a sequence takes what its elements take together, an optional what is in it.
std::optional<std::int64_t> bytes_of(const Value& value);
// Whether these are known to be more than fit 63 bits.
bool is_too_large(const Value& value);

// True when every element of the contents is known.
bool fully_known(const Value& value);

}  // namespace berth::onnx
