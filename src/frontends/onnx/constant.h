// Decodes the contents of small tensors that a file holds: shapes, axes, pads, scales.
#pragma once

#include "frontends/onnx/infer.h"

namespace berth::onnx {

// Type and shape of the tensor, with contents when it has at most kMaxContents elements, is not
// external and its payload has exactly the size its shape asks for.
Value value_of(const Tensor& tensor);

// Bits of one element; 0 for strings and types nobody knows.
int element_bits(ElementType element);

}  // namespace berth::onnx
