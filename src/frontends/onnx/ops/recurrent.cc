// Recurrent layers, by step, sequence and direction: a product with the input's weights and one
// with the state's for each gate, and a few operations on each gate's elements.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "frontends/onnx/ops/families.h"

namespace berth::onnx {
namespace {

constexpr double kGateElement = 8;  // biases, an activation, the mixing with the state

// Where weights stand and how they are turned; quantized LSTMs have them the other way round.
struct Layout {
  std::int64_t gates;
  bool weights_turned = false;
};

void infer_recurrent(OpContext& op, const Layout& layout) {
  const bool batch_first = op.attribute("layout", 0) != 0;
  const bool both_ways = op.attribute_text("direction", "forward") == "bidirectional";
  if (op.ranked(0) && op.rank(0) != 3) op.complain_shape(0, "sequence, batch and features");
  const bool ranked = op.ranked(0, 3);
  const std::int64_t steps = ranked ? op.dim(0, batch_first ? 1 : 0) : kUnknown;
  const std::int64_t batch = ranked ? op.dim(0, batch_first ? 0 : 1) : kUnknown;
  const std::int64_t features = ranked ? op.dim(0, 2) : kUnknown;
  const std::int64_t rows = op.dim(1, layout.weights_turned ? 2 : 1);
  const std::int64_t hidden =
      either(std::max(op.attribute("hidden_size", kUnknown), kUnknown), divide(rows, layout.gates));
  const std::int64_t directions = both_ways ? 2 : 1;
  if (differ(rows, multiply(hidden, layout.gates))) {
    op.complain_shape(1, fmt::format("weights of {} rows", multiply(hidden, layout.gates)));
  }
  if (!layout.weights_turned && op.ranked(1, 3) && differ(op.dim(1, 2), features)) {
    op.complain_shape(1, fmt::format("weights of {} columns", features));
  }
  const ElementType element = op.element(0);
  if (batch_first) {
    op.tensor(0, element, {batch, steps, directions, hidden});
  } else {
    op.tensor(0, element, {steps, directions, batch, hidden});
  }
  for (std::size_t state = 1; state < op.output_count(); ++state) {
    if (batch_first) {
      op.tensor(state, element, {batch, directions, hidden});
    } else {
      op.tensor(state, element, {directions, batch, hidden});
    }
  }
  const double units = extent(batch) * extent(hidden) * static_cast<double>(layout.gates);
  const double step = units * (2 * (extent(features) + extent(hidden)) + kGateElement);
  op.work(step * extent(steps) * static_cast<double>(directions));
}

void infer_lstm(OpContext& op) { infer_recurrent(op, {.gates = 4}); }
void infer_gru(OpContext& op) { infer_recurrent(op, {.gates = 3}); }
void infer_rnn(OpContext& op) { infer_recurrent(op, {.gates = 1}); }
void infer_quantized_lstm(OpContext& op) {
  infer_recurrent(op, {.gates = 4, .weights_turned = true});
}

constexpr Operator kOperators[] = {
    {kOnnx, "GRU", infer_gru},
    {kOnnx, "LSTM", infer_lstm},
    {kOnnx, "RNN", infer_rnn},
    {kMicrosoft, "DynamicQuantizeLSTM", infer_quantized_lstm},
};

}  // namespace

std::span<const Operator> recurrent_operators() { return kOperators; }

}  // namespace berth::onnx
