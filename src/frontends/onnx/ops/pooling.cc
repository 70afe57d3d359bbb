// Poolings: each element of the output looks at its window once.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "frontends/onnx/ops/families.h"
#include "frontends/onnx/ops/window.h"

namespace berth::onnx {
namespace {

// Channels come second, or last.
void infer_pool(OpContext& op, bool channels_last, double flops) {
  if (!op.ranked(0) || op.rank(0) < 2) {
    if (op.ranked(0)) op.complain_shape(0, "batch, channels and at least one more axis");
    op.unranked(0, op.element(0));
    return;
  }
  const std::size_t axes = op.rank(0) - 2;
  const auto kernel = op.attribute_list("kernel_shape");
  if (!kernel || kernel->size() != axes) {
    op.complain(fmt::format("has a kernel_shape of {} entries; expected {}",
                            kernel ? kernel->size() : 0, axes));
  }
  const bool usable = kernel && kernel->size() == axes;
  const Window window = window_of(op, usable ? *kernel : Dims(axes, kUnknown), axes);
  Dims dims = op.dims(0);
  for (std::size_t axis = 0; axis < axes; ++axis) {
    std::int64_t& dim = dims[axis + (channels_last ? 1 : 2)];
    dim = windows_along(op, window, axis, dim);
  }
  op.work(flops * volume(dims) * volume(window.kernel));
  op.tensor(1, ElementType::int64, dims);  // where the maxima were
  op.tensor(0, op.element(0), std::move(dims));
}

template <int Flops>
void pool(OpContext& op) {
  infer_pool(op, false, Flops);
}

void infer_channels_last_pool(OpContext& op) { infer_pool(op, true, 1); }

void infer_quantized_pool(OpContext& op) {
  infer_pool(op, op.attribute("channels_last", 0) != 0, 1);
  op.work(2 * volume(op.out(0).dims));
}

void infer_global(OpContext& op, bool channels_last, double flops) {
  op.like(0, 0);
  Dims& dims = op.out(0).dims;
  for (std::size_t axis = channels_last ? 1 : 2; axis < dims.size(); ++axis) {
    if (!channels_last || axis + 1 < dims.size()) dims[axis] = 1;
  }
  op.work(flops * op.volume_of(0));
}

template <int Flops>
void global_pool(OpContext& op) {
  infer_global(op, false, Flops);
}

void infer_quantized_global_pool(OpContext& op) {
  infer_global(op, op.attribute("channels_last", 0) != 0, 1);
}

// The inverse of MaxPool: sizes come from the third input, or from the window.
void infer_unpool(OpContext& op) {
  if (const auto shape = op.integers(2)) {
    Dims dims;
    for (const std::int64_t dim : *shape) dims.push_back(as_dim(dim));
    op.tensor(0, op.element(0), std::move(dims));
    return;
  }
  if (!op.ranked(0) || op.rank(0) < 2 || op.has(2)) {
    op.like(0, 0);
    std::fill(op.out(0).dims.begin(), op.out(0).dims.end(), kUnknown);
    return;
  }
  const std::size_t axes = op.rank(0) - 2;
  const Window window =
      window_of(op, op.attribute_list("kernel_shape").value_or(Dims(axes, kUnknown)), axes);
  Dims dims = op.dims(0);
  for (std::size_t axis = 0; axis < axes; ++axis) {
    const std::int64_t last = subtract(dims[axis + 2], 1);
    const std::int64_t grown = add(multiply(last, window.strides[axis]), window.kernel[axis]);
    dims[axis + 2] = subtract(grown, add(window.before[axis], window.after[axis]));
  }
  op.tensor(0, op.element(0), std::move(dims));
}

// One grid of pooled_shape windows per region.
void infer_region_pool(OpContext& op) {
  const Dims pooled = op.attribute_list("pooled_shape").value_or(Dims{});
  Dims dims = {op.dim(1, 0), op.dim(0, 1)};
  for (std::size_t axis = 0; axis < 2; ++axis) {
    dims.push_back(axis < pooled.size() ? std::max(pooled[axis], kUnknown) : kUnknown);
  }
  // At worst every region is the whole image.
  op.work(extent(op.dim(1, 0)) * volume(op.dims(0)) / std::max(1.0, extent(op.dim(0, 0))));
  op.tensor(0, op.element(0), std::move(dims));
}

constexpr Operator kOperators[] = {
    {kOnnx, "AveragePool", pool<1>},
    {kOnnx, "GlobalAveragePool", global_pool<1>},
    {kOnnx, "GlobalLpPool", global_pool<2>},
    {kOnnx, "GlobalMaxPool", global_pool<1>},
    {kOnnx, "LpPool", pool<2>},
    {kOnnx, "MaxPool", pool<1>},
    {kOnnx, "MaxRoiPool", infer_region_pool},
    {kOnnx, "MaxUnpool", infer_unpool},
    {kMicrosoft, "MaxpoolWithMask", pool<1>},
    {kMicrosoft, "NhwcMaxPool", infer_channels_last_pool},
    {kMicrosoft, "QLinearAveragePool", infer_quantized_pool},
    {kMicrosoft, "QLinearGlobalAveragePool", infer_quantized_global_pool},
};

}  // namespace

std::span<const Operator> pooling_operators() { return kOperators; }

}  // namespace berth::onnx
