// Between reals and the small integers that stand for them.
#include <utility>

#include "frontends/onnx/ops/elementwise.h"
#include "frontends/onnx/ops/families.h"

namespace berth::onnx {
namespace {

// The zero point has the type of the result; without one an attribute, or else bytes.
void infer_quantize(OpContext& op) {
  const ElementType named = element_type(op.attribute("output_dtype", 0), ElementType::uint8);
  op.like(0, 0, op.has(2) ? op.element(2) : named);
  op.work(3 * op.volume_of(0));
}

// Reals of the scale's type: since opset 19 that need not be single precision.
void infer_dequantize(OpContext& op) {
  const ElementType scale =
      op.element(1) == ElementType::undefined ? ElementType::float32 : op.element(1);
  op.like(0, 0, element_type(op.attribute("output_dtype", 0), scale));
  op.work(2 * op.volume_of(0));
}

// The scale follows from the data's range.
void infer_dynamic_quantize(OpContext& op) {
  op.like(0, 0, ElementType::uint8);
  op.tensor(1, ElementType::float32, {});
  op.tensor(2, ElementType::uint8, {});
  op.work(5 * op.volume_of(0));
}

// A quantized operation of two inputs: data at 0 and 3, each with scale and zero point behind it.
void infer_quantized_pair(OpContext& op) {
  op.unranked(0, op.element(0));
  if (!op.ranked(0) || !op.ranked(3)) return;
  auto dims = broadcast(op.dims(0), op.dims(3));
  if (!dims) {
    op.complain_shape(3, "a shape that broadcasts with " + text_of(op.dims(0)));
    return;
  }
  op.work(6 * volume(*dims));
  op.tensor(0, op.element(0), std::move(*dims));
}

// Output scale and zero point first, then three inputs per part.
void infer_quantized_concat(OpContext& op) {
  op.unranked(0, op.element(2));
  if (!op.ranked(2)) return;
  const auto axis = axis_of(op.attribute("axis", 0), op.rank(2));
  if (!axis) {
    op.complain_shape(2, "a tensor with the axis that is joined");
    return;
  }
  Dims dims = op.dims(2);
  const auto place = static_cast<std::size_t>(*axis);
  for (std::size_t index = 5; index < op.input_count(); index += 3) {
    if (!op.ranked(index, dims.size())) {
      if (op.ranked(index)) op.complain_shape(index, "tensors of one rank");
      dims[place] = kUnknown;
      continue;
    }
    dims[place] = add(dims[place], op.dims(index)[place]);
  }
  op.work(2 * volume(dims));
  op.tensor(0, op.element(1), std::move(dims));
}

void infer_quantized_where(OpContext& op) {
  op.unranked(0, op.element(1));
  if (!op.ranked(0) || !op.ranked(1) || !op.ranked(4)) return;
  auto dims = broadcast(op.dims(0), op.dims(1));
  if (dims) dims = broadcast(*dims, op.dims(4));
  if (!dims) {
    op.complain_shape(4, "a shape that broadcasts with " + text_of(op.dims(1)));
    return;
  }
  op.work(4 * volume(*dims));
  op.tensor(0, op.element(1), std::move(*dims));
}

constexpr Operator kOperators[] = {
    {kOnnx, "DequantizeLinear", infer_dequantize},
    {kOnnx, "DynamicQuantizeLinear", infer_dynamic_quantize},
    {kOnnx, "QuantizeLinear", infer_quantize},
    {kMicrosoft, "DequantizeLinear", infer_dequantize},
    {kMicrosoft, "QLinearAdd", infer_quantized_pair},
    {kMicrosoft, "QLinearConcat", infer_quantized_concat},
    {kMicrosoft, "QLinearLeakyRelu", same_shape<6>},
    {kMicrosoft, "QLinearMul", infer_quantized_pair},
    {kMicrosoft, "QLinearSigmoid", same_shape<8>},
    {kMicrosoft, "QLinearWhere", infer_quantized_where},
    {kMicrosoft, "QuantizeLinear", infer_quantize},
};

}  // namespace

std::span<const Operator> quantization_operators() { return kOperators; }

}  // namespace berth::onnx
