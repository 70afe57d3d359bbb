// The shape of a matrix product, for operators that are a product with something around it.
#pragma once

#include <cstddef>
#include <optional>

#include "frontends/onnx/ops/op_context.h"

namespace berth::onnx {

struct MatrixProduct {
  Dims dims;
  std::int64_t inner = kUnknown;
};

// By the numpy rule: the last two axes are multiplied, those before are broadcast, vectors are
// extended to matrices. None when a rank is unknown or, with a complaint, when they do not match.
std::optional<MatrixProduct> matrix_product(OpContext& op, Dims left, Dims right);

// Output 0 as the product of two inputs; returns its volume.
double set_matrix_product(OpContext& op, ElementType element, std::size_t left, std::size_t right);

}  // namespace berth::onnx
