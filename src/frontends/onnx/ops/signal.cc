// Fourier transforms, by the operation count of a radix-2 transform, and what goes with them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "frontends/onnx/ops/families.h"
#include "frontends/onnx/ops/fold.h"

namespace berth::onnx {
namespace {

double transform_flops(std::int64_t length) {
  const double points = extent(length);
  return points < 2 ? points : 5 * points * std::log2(points);
}

std::int64_t one_sided(std::int64_t length) { return length < 0 ? kUnknown : length / 2 + 1; }

// The axis came from an attribute until opset 19, and is counted with the complex axis at the end.
void infer_dft(OpContext& op) {
  op.unranked(0, op.element(0));
  if (!op.ranked(0)) return;
  const std::int64_t fallback = op.opset() >= 20 ? -2 : 1;
  const auto given = op.has(2) ? op.integer(2) : op.attribute("axis", fallback);
  const auto axis = given ? axis_of(*given, op.rank(0)) : std::nullopt;
  if (!axis || op.rank(0) < 2) {
    if (given) op.complain_shape(0, "a tensor with the axis, followed by the complex axis");
    op.tensor(0, op.element(0), Dims(op.rank(0), kUnknown));
    return;
  }
  const auto place = static_cast<std::size_t>(*axis);
  Dims dims = op.dims(0);
  const std::int64_t length =
      op.has(1) ? std::max(op.integer(1).value_or(kUnknown), kUnknown) : dims[place];
  const bool inverse = op.attribute("inverse", 0) != 0;
  const bool half = op.attribute("onesided", 0) != 0;
  dims[place] = length;
  const double transforms =
      volume(dims) / std::max(1.0, extent(length)) / std::max(1.0, extent(dims.back()));
  op.work(transforms * transform_flops(length));
  if (half && !inverse) dims[place] = one_sided(length);
  dims.back() = half && inverse ? 1 : 2;
  op.tensor(0, op.element(0), std::move(dims));
}

void infer_stft(OpContext& op) {
  const std::int64_t step = op.integer(1).value_or(kUnknown);
  const std::int64_t given = op.has(3) ? op.integer(3).value_or(kUnknown) : kUnknown;
  const std::int64_t frame = std::max(op.has(3) ? given : op.dim(2, 0), kUnknown);
  const bool half = op.attribute("onesided", 1) != 0;
  const std::int64_t room = subtract(op.dim(0, 1), frame);
  const std::int64_t frames = add(divide(room, step), 1);
  if (op.ranked(0) && op.dim(0, 1) >= 0 && frame > op.dim(0, 1)) {
    op.complain_shape(0, fmt::format("a signal of at least {} samples", frame));
  }
  op.tensor(0, op.element(0), {op.dim(0, 0), frames, half ? one_sided(frame) : frame, 2});
  op.work(extent(op.dim(0, 0)) * extent(frames) * (transform_flops(frame) + extent(frame)));
}

ElementType output_type(const OpContext& op) {
  return element_type(op.attribute("output_datatype", 1), ElementType::float32);
}

void infer_window(OpContext& op) {
  op.tensor(0, output_type(op), {std::max(op.integer(0).value_or(kUnknown), kUnknown)});
  op.work(6 * volume(op.out(0).dims));
}

void infer_mel_weights(OpContext& op) {
  const std::int64_t bins = std::max(op.integer(0).value_or(kUnknown), kUnknown);
  const std::int64_t length = std::max(op.integer(1).value_or(kUnknown), kUnknown);
  op.tensor(0, output_type(op), {one_sided(length), bins});
  op.work(4 * volume(op.out(0).dims));
}

// Real in, complex pairs behind; over the last signal_ndim axes.
void infer_real_transform(OpContext& op) {
  op.unranked(0, op.element(0));
  if (!op.ranked(0) || op.rank(0) == 0) return;
  Dims dims = op.dims(0);
  const std::int64_t length = dims.back();
  op.work(volume(dims) / std::max(1.0, extent(length)) * transform_flops(length));
  dims.back() = one_sided(length);
  dims.push_back(2);
  op.tensor(0, op.element(0), std::move(dims));
}

void infer_real_inverse(OpContext& op) {
  op.unranked(0, op.element(0));
  if (!op.ranked(0) || op.rank(0) < 2) return;
  Dims dims = op.dims(0);
  dims.pop_back();
  const std::int64_t length = multiply(subtract(dims.back(), 1), 2);
  dims.back() = length;
  op.work(volume(dims) / std::max(1.0, extent(length)) * transform_flops(length));
  op.tensor(0, op.element(0), std::move(dims));
}

constexpr Operator kOperators[] = {
    {kOnnx, "BlackmanWindow", infer_window},       {kOnnx, "DFT", infer_dft},
    {kOnnx, "HammingWindow", infer_window},        {kOnnx, "HannWindow", infer_window},
    {kOnnx, "MelWeightMatrix", infer_mel_weights}, {kOnnx, "STFT", infer_stft},
    {kMicrosoft, "Irfft", infer_real_inverse},     {kMicrosoft, "Rfft", infer_real_transform},
};

}  // namespace

std::span<const Operator> signal_operators() { return kOperators; }

}  // namespace berth::onnx
