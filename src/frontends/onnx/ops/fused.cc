// What is left of com.microsoft: element-by-element operators fused with a bias, padding removed
// and restored, and the like.
#include <algorithm>
#include <utility>

#include "frontends/onnx/ops/elementwise.h"
#include "frontends/onnx/ops/families.h"

namespace berth::onnx {
namespace {

void infer_bias_gelu(OpContext& op) { set_broadcast(op, op.element(0), 0, 2, 9); }

// The bias may be left out.
void infer_fast_gelu(OpContext& op) { set_unary(op, op.has(1) ? 9 : 8); }

// One half gates the other.
void infer_split_gelu(OpContext& op) {
  op.like(0, 0);
  Dims& dims = op.out(0).dims;
  if (!dims.empty()) dims.back() = divide(dims.back(), 2);
  op.work(10 * volume(dims));
}

void infer_bias_add(OpContext& op) { set_unary(op, op.has(2) ? 2 : 1); }

// Dropout with a bias and a residual; in inference only the sums are left.
void infer_bias_dropout(OpContext& op) {
  set_unary(op, op.has(2) ? 2 : 1);
  op.like(1, 0, ElementType::boolean);
}

void infer_complex_product(OpContext& op) { set_broadcast(op, op.element(0), 0, 2, 3); }

// batch x rows x hidden to the rows that are no padding: at most all.
void infer_remove_padding(OpContext& op) {
  op.bound();
  const std::int64_t batch = op.dim(0, 0), rows = op.dim(0, 1);
  op.tensor(0, op.element(0), {multiply(batch, rows), op.dim(0, 2)});
  op.tensor(1, ElementType::int32, {batch, rows});
  op.tensor(2, ElementType::int32, {add(batch, 1)});
  op.tensor(3, ElementType::int32, {1});
}

void infer_restore_padding(OpContext& op) {
  op.tensor(0, op.element(0), {op.dim(1, 0), op.dim(1, 1), op.dim(0, 1)});
}

// Rows of codes, each with scale and offset, looked up and unpacked.
void infer_block_gather(OpContext& op) {
  op.unranked(0, op.element(2));
  if (!op.ranked(0) || !op.ranked(1)) return;
  const auto axis = axis_of(op.attribute("gather_axis", 0), op.rank(0));
  if (!axis) {
    op.complain_shape(0, "a tensor that has the axis");
    return;
  }
  Dims dims = op.dims(0);
  const auto rest = dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(*axis));
  dims.insert(rest, op.dims(1).begin(), op.dims(1).end());
  // Bytes hold two codes of four bits.
  if (op.element(0) == ElementType::uint8 && op.attribute("bits", 4) == 4 && !dims.empty()) {
    dims.back() = multiply(dims.back(), 2);
  }
  op.work(2 * volume(dims));
  op.tensor(0, op.element(2), std::move(dims));
}

// Each token through k of the experts: two products of hidden x inner (three when gated).
void infer_experts(OpContext& op) {
  op.like(0, 0);
  const double chosen = extent(std::max<std::int64_t>(op.attribute("k", 1), 1));
  const double inner = extent(op.dim(2, 1)), hidden = extent(op.dim(0, -1));
  const double gated = op.attribute("use_sparse_mixer", 0) == 0 && op.has(6) ? 3 : 2;
  const double tokens = op.volume_of(0) / std::max(1.0, hidden);
  op.work(tokens * chosen * gated * 2 * hidden * inner);
}

constexpr Operator kOperators[] = {
    {kMicrosoft, "BiasAdd", infer_bias_add},
    {kMicrosoft, "BiasDropout", infer_bias_dropout},
    {kMicrosoft, "BiasGelu", infer_bias_gelu},
    {kMicrosoft, "BiasSplitGelu", infer_split_gelu},
    {kMicrosoft, "ComplexMul", infer_complex_product},
    {kMicrosoft, "ComplexMulConj", infer_complex_product},
    {kMicrosoft, "FastGelu", infer_fast_gelu},
    {kMicrosoft, "GatherBlockQuantized", infer_block_gather},
    {kMicrosoft, "MoE", infer_experts},
    {kMicrosoft, "RemovePadding", infer_remove_padding},
    {kMicrosoft, "RestorePadding", infer_restore_padding},
};

}  // namespace

std::span<const Operator> fused_operators() { return kOperators; }

}  // namespace berth::onnx
