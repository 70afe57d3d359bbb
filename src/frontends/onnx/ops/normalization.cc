// Normalizations and softmaxes: the shape of the input, and a few passes over it.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "frontends/onnx/ops/elementwise.h"
#include "frontends/onnx/ops/families.h"

namespace berth::onnx {
namespace {

// Mean, variance, scale and shift.
constexpr double kNormalize = 8;
constexpr double kScaleAndShift = 4;  // with statistics that are known beforehand
constexpr double kSoftmax = 5;

void infer_softmax(OpContext& op) { set_unary(op, kSoftmax); }

void infer_batch_normalization(OpContext& op) {
  const bool training = op.opset() >= 14 ? op.attribute("training_mode", 0) != 0
                        : op.opset() < 7 ? op.attribute("is_test", 1) == 0
                                         : op.output_count() > 1;
  set_unary(op, training ? kNormalize : kScaleAndShift);
  if (op.ranked(0) && op.rank(0) >= 2 && differ(op.dim(0, 1), op.dim(1, 0))) {
    op.complain_shape(0, fmt::format("{} channels", op.dim(1, 0)));
  }
  const std::int64_t channels = either(op.rank(0) >= 2 ? op.dim(0, 1) : 1, op.dim(1, 0));
  for (std::size_t output = 1; output < op.output_count(); ++output) {
    const ElementType element = op.has(3) ? op.element(3) : op.element(0);
    op.tensor(output, element, {channels});
  }
}

// Mean and inverse deviation keep their axes, as ones. `output` is the mean's place.
void set_statistics(OpContext& op, std::int64_t axis, std::size_t output, ElementType element) {
  for (std::size_t index = output; index < output + 2; ++index) {
    op.like(index, 0, element);
    const auto counted = axis_of(axis, op.rank(0));
    Dims& dims = op.out(index).dims;
    if (!counted) continue;
    for (auto place = static_cast<std::size_t>(*counted); place < dims.size(); ++place) {
      dims[place] = 1;
    }
  }
}

void infer_layer_normalization(OpContext& op) {
  set_unary(op, kNormalize);
  const std::int64_t axis = op.attribute("axis", -1);
  if (op.ranked(0) && !axis_of(axis, op.rank(0))) {
    op.complain_shape(0, fmt::format("a tensor with axis {}", axis));
  }
  set_statistics(op, axis, 1, element_type(op.attribute("stash_type", 1), ElementType::float32));
}

void infer_root_mean_square(OpContext& op) {
  set_unary(op, 5);
  const std::int64_t axis = op.attribute("axis", -1);
  set_statistics(op, axis, 1, element_type(op.attribute("stash_type", 1), ElementType::float32));
}

// With a residual added before: outputs are the result, two statistics and the sum.
template <int Flops>
void skip_normalization(OpContext& op) {
  set_unary(op, Flops);
  set_statistics(op, -1, 1, ElementType::float32);
  op.like(3, 0);
}

void infer_group_normalization(OpContext& op) { set_unary(op, kNormalize); }

// A group normalization with a residual before it has the sum as second output.
void infer_skip_group_normalization(OpContext& op) {
  set_unary(op, kNormalize + 1);
  op.like(1, 0);
}

void infer_local_response(OpContext& op) {
  const double size =
      static_cast<double>(std::clamp<std::int64_t>(op.attribute("size", 1), 1, 1 << 20));
  set_unary(op, 2 * size + 6);
}

constexpr Operator kOperators[] = {
    {kOnnx, "BatchNormalization", infer_batch_normalization},
    {kOnnx, "GroupNormalization", infer_group_normalization},
    {kOnnx, "Hardmax", same_shape<2>},
    {kOnnx, "InstanceNormalization", same_shape<8>},
    {kOnnx, "LRN", infer_local_response},
    {kOnnx, "LayerNormalization", infer_layer_normalization},
    {kOnnx, "LogSoftmax", infer_softmax},
    {kOnnx, "LpNormalization", same_shape<4>},
    {kOnnx, "MeanVarianceNormalization", same_shape<8>},
    {kOnnx, "RMSNormalization", infer_root_mean_square},
    {kOnnx, "SimplifiedLayerNormalization", infer_root_mean_square},
    {kOnnx, "Softmax", infer_softmax},
    {kMicrosoft, "BiasSoftmax", same_shape<6>},
    {kMicrosoft, "GroupNorm", infer_group_normalization},
    {kMicrosoft, "LayerNormalization", infer_layer_normalization},
    {kMicrosoft, "QLinearSoftmax", same_shape<7>},
    {kMicrosoft, "SimplifiedLayerNormalization", infer_root_mean_square},
    {kMicrosoft, "SkipGroupNorm", infer_skip_group_normalization},
    {kMicrosoft, "SkipLayerNormalization", skip_normalization<9>},
    {kMicrosoft, "SkipSimplifiedLayerNormalization", skip_normalization<6>},
};

}  // namespace

std::span<const Operator> normalization_operators() { return kOperators; }

}  // namespace berth::onnx
