// Losses and optimizers.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "frontends/onnx/ops/families.h"

namespace berth::onnx {
namespace {

// Scores batch x classes x the rest, labels without the classes.
void set_loss(OpContext& op) {
  const bool each = op.attribute_text("reduction", "mean") == "none";
  if (!each) {
    op.tensor(0, op.element(0), {});
    return;
  }
  op.like(0, 1, op.element(0));
  if (op.ranked(1) || !op.ranked(0) || op.rank(0) < 2) return;
  Dims dims = op.dims(0);
  dims.erase(dims.begin() + 1);
  op.tensor(0, op.element(0), std::move(dims));
}

void infer_likelihood(OpContext& op) {
  set_loss(op);
  if (op.ranked(0) && op.ranked(1) && op.rank(0) != op.rank(1) + 1) {
    op.complain_shape(1, fmt::format("labels of rank {}", op.rank(0) == 0 ? 0 : op.rank(0) - 1));
  }
  op.work(2 * op.volume_of(1));
}

void infer_cross_entropy(OpContext& op) {
  set_loss(op);
  op.like(1, 0);
  op.work(5 * op.volume_of(0) + 2 * op.volume_of(1));
}

// Learning rate and step count first, then `lists` lists of equal length: the parameters, their
// gradients, and so many states. All but the gradients come out anew.
void infer_optimizer(OpContext& op, std::size_t lists, double flops) {
  if (op.input_count() < 2 + lists) return;
  const std::size_t count = (op.input_count() - 2) / lists;
  for (std::size_t output = 0; output < op.output_count(); ++output) {
    const std::size_t list = output / count;
    const std::size_t source = list == 0 ? output : output + count;
    op.like(output, 2 + source);
    if (list == 0) op.work(flops * op.volume_of(2 + source));
  }
}

void infer_adagrad(OpContext& op) { infer_optimizer(op, 3, 8); }
void infer_momentum(OpContext& op) { infer_optimizer(op, 3, 6); }
void infer_adam(OpContext& op) { infer_optimizer(op, 4, 14); }

// Derivatives of one output by the first inputs, of their shapes. What that costs is in the graph
// in between, which the node does not name.
void infer_gradient(OpContext& op) {
  for (std::size_t output = 0; output < op.output_count(); ++output) op.like(output, output);
}

constexpr Operator kOperators[] = {
    {kOnnx, "NegativeLogLikelihoodLoss", infer_likelihood},
    {kOnnx, "SoftmaxCrossEntropyLoss", infer_cross_entropy},
    {kTraining, "Adagrad", infer_adagrad},
    {kTraining, "Adam", infer_adam},
    {kTraining, "Gradient", infer_gradient},
    {kTraining, "Momentum", infer_momentum},
};

}  // namespace

std::span<const Operator> training_operators() { return kOperators; }

}  // namespace berth::onnx
