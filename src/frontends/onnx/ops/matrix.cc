#include "frontends/onnx/ops/matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "frontends/onnx/ops/families.h"

namespace berth::onnx {

std::optional<MatrixProduct> matrix_product(OpContext& op, Dims left, Dims right) {
  const std::string shapes = text_of(left) + " and " + text_of(right);
  if (left.empty() || right.empty()) {
    op.complain(fmt::format("was given {}; expected vectors or matrices", shapes));
    return std::nullopt;
  }
  const bool left_is_vector = left.size() == 1, right_is_vector = right.size() == 1;
  if (left_is_vector) left.insert(left.begin(), 1);
  if (right_is_vector) right.push_back(1);
  const std::int64_t rows = left[left.size() - 2], columns = right.back();
  const std::int64_t inner_left = left.back(), inner_right = right[right.size() - 2];
  left.resize(left.size() - 2);
  right.resize(right.size() - 2);
  auto dims = broadcast(left, right);
  if (!dims || differ(inner_left, inner_right)) {
    op.complain(fmt::format("was given {}; expected factors whose sizes match", shapes));
    return std::nullopt;
  }
  if (!left_is_vector) dims->push_back(rows);
  if (!right_is_vector) dims->push_back(columns);
  return MatrixProduct{.dims = std::move(*dims), .inner = either(inner_left, inner_right)};
}

double set_matrix_product(OpContext& op, ElementType element, std::size_t left, std::size_t right) {
  op.unranked(0, element);
  if (!op.ranked(left) || !op.ranked(right)) return 0;
  auto result = matrix_product(op, op.dims(left), op.dims(right));
  if (!result) return 0;
  const double outputs = volume(result->dims);
  op.work(2 * outputs * extent(result->inner));
  op.tensor(0, element, std::move(result->dims));
  return outputs;
}

namespace {

void infer_matmul(OpContext& op) { set_matrix_product(op, op.element(0), 0, 1); }

void infer_matmul_integer(OpContext& op) { set_matrix_product(op, ElementType::int32, 0, 1); }

void infer_quantized_matmul(OpContext& op) {
  op.work(2 * set_matrix_product(op, op.element(7), 0, 3));
}

// A dynamically quantized product comes back as reals of the scale's type.
void infer_matmul_integer_to_float(OpContext& op) {
  op.work(2 * set_matrix_product(op, op.element(2), 0, 1));
}

void infer_dynamic_matmul(OpContext& op) {
  op.work(2 * set_matrix_product(op, op.element(0), 0, 1) + 4 * op.volume_of(0));
}

void infer_gemm_at(OpContext& op, ElementType element, std::size_t left, std::size_t right,
                   std::size_t bias) {
  const bool turns_left = op.attribute("transA", 0) != 0;
  const bool turns_right = op.attribute("transB", 0) != 0;
  for (const std::size_t index : {left, right}) {
    if (op.ranked(index) && op.rank(index) != 2) op.complain_shape(index, "a matrix");
  }
  const std::int64_t rows = op.ranked(left, 2) ? op.dim(left, turns_left ? 1 : 0) : kUnknown;
  const std::int64_t inner_left = op.ranked(left, 2) ? op.dim(left, turns_left ? 0 : 1) : kUnknown;
  const std::int64_t inner_right =
      op.ranked(right, 2) ? op.dim(right, turns_right ? 1 : 0) : kUnknown;
  const std::int64_t columns = op.ranked(right, 2) ? op.dim(right, turns_right ? 0 : 1) : kUnknown;
  if (differ(inner_left, inner_right)) {
    op.complain(fmt::format("multiplies over {} and {} elements; expected equal numbers",
                            inner_left, inner_right));
  }
  const double outputs = extent(rows) * extent(columns);
  op.work(2 * outputs * extent(either(inner_left, inner_right)));
  if (op.has(bias)) op.work(outputs);
  op.tensor(0, element, {rows, columns});
}

void infer_gemm(OpContext& op) { infer_gemm_at(op, op.element(0), 0, 1, 2); }

void infer_fused_gemm(OpContext& op) {
  infer_gemm(op);
  op.work(volume(op.out(0).dims));
}

// Quantized; without the output's scale (input 7) the result stays real.
void infer_quantized_gemm(OpContext& op) {
  infer_gemm_at(op, op.has(7) ? op.element(0) : ElementType::float32, 0, 3, 6);
}

void swap_last(Dims& dims) {
  if (dims.size() >= 2) std::swap(dims[dims.size() - 1], dims[dims.size() - 2]);
}

// With transBatch the row axis of the matrices comes first, before all batch axes.
void turn_batch(Dims& dims) {
  if (dims.size() >= 3) std::rotate(dims.begin(), dims.begin() + 1, dims.end() - 1);
}

void infer_fused_matmul(OpContext& op) {
  op.unranked(0, op.element(0));
  if (!op.ranked(0) || !op.ranked(1)) return;
  Dims left = op.dims(0), right = op.dims(1);
  if (op.attribute("transBatchA", 0) != 0) turn_batch(left);
  if (op.attribute("transBatchB", 0) != 0) turn_batch(right);
  if (op.attribute("transA", 0) != 0) swap_last(left);
  if (op.attribute("transB", 0) != 0) swap_last(right);
  auto result = matrix_product(op, std::move(left), std::move(right));
  if (!result) return;
  const double outputs = volume(result->dims);
  op.work(2 * outputs * extent(result->inner) + outputs);
  op.tensor(0, op.element(0), std::move(result->dims));
}

// Weights of K rows and N columns in blocks of few bits each; K and N are attributes.
void infer_matmul_bits(OpContext& op) {
  op.unranked(0, op.element(0));
  if (!op.ranked(0) || op.rank(0) == 0) return;
  const std::int64_t inner = op.attribute("K", kUnknown);
  const std::int64_t columns = std::max(op.attribute("N", kUnknown), kUnknown);
  if (differ(inner, op.dim(0, -1))) op.complain_shape(0, fmt::format("{} as last extent", inner));
  Dims dims = op.dims(0);
  dims.back() = columns;
  op.work(2 * volume(dims) * extent(either(op.dim(0, -1), inner)));
  op.work(2 * extent(inner) * extent(columns));  // unpacking the weights
  op.tensor(0, op.element(0), std::move(dims));
}

// By elimination.
void infer_determinant(OpContext& op) {
  op.unranked(0, op.element(0));
  if (!op.ranked(0)) return;
  if (op.rank(0) < 2) {
    op.complain_shape(0, "square matrices");
    return;
  }
  Dims dims = op.dims(0);
  dims.resize(dims.size() - 2);
  op.work(op.volume_of(0) * extent(op.dim(0, -1)) * 2 / 3);
  op.tensor(0, op.element(0), std::move(dims));
}

void infer_inverse(OpContext& op) {
  op.like(0, 0);
  op.work(2 * op.volume_of(0) * extent(op.dim(0, -1)));
}

constexpr Operator kOperators[] = {
    {kOnnx, "Det", infer_determinant},
    {kOnnx, "Gemm", infer_gemm},
    {kOnnx, "MatMul", infer_matmul},
    {kOnnx, "MatMulInteger", infer_matmul_integer},
    {kOnnx, "QLinearMatMul", infer_quantized_matmul},
    {kMicrosoft, "DynamicQuantizeMatMul", infer_dynamic_matmul},
    {kMicrosoft, "FusedGemm", infer_fused_gemm},
    {kMicrosoft, "FusedMatMul", infer_fused_matmul},
    {kMicrosoft, "GemmFastGelu", infer_matmul},
    {kMicrosoft, "Inverse", infer_inverse},
    {kMicrosoft, "MatMulBnb4", infer_matmul_bits},
    {kMicrosoft, "MatMulInteger16", infer_matmul_integer},
    {kMicrosoft, "MatMulIntegerToFloat", infer_matmul_integer_to_float},
    {kMicrosoft, "MatMulNBits", infer_matmul_bits},
    {kMicrosoft, "QGemm", infer_quantized_gemm},
    {kMicrosoft, "QLinearMatMul", infer_quantized_matmul},
    {kMicrosoft, "TransposeMatMul", infer_fused_matmul},
};

}  // namespace

std::span<const Operator> matrix_operators() { return kOperators; }

}  // namespace berth::onnx
