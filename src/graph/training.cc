#include "graph/training.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "graph/total_bytes.h"
#include "graph/training_builder.h"

namespace berth {
namespace {

constexpr double kLossFlops = 5;  // per element: exponential, sum, division, logarithm, difference

}  // namespace

void TrainingBuilder::copy_op(OpId op) {
  const OpId copy = builder_.add_op(forward_.op_name(op), forward_.op_type(op));
  builder_.set_flops(copy, forward_.flops(op));
  builder_.set_param_bytes(copy, forward_.param_bytes(op));
  builder_.set_temp_bytes(copy, forward_.temp_bytes(op));
  if (forward_.layer(op) != Graph::kNone) {
    builder_.set_layer(copy, forward_.layer_names()[forward_.layer(op)]);
  }
  if (forward_.colocation_label(op) != Graph::kNone) {
    builder_.set_colocation(copy, forward_.colocation_labels()[forward_.colocation_label(op)]);
  }
  if (forward_.device_set(op) != Graph::kNone) {
    builder_.set_devices(copy, forward_.device_sets()[forward_.device_set(op)]);
  }
  for (const Graph::GivenSeconds& given : forward_.given_seconds(op)) {
    builder_.add_seconds(copy, forward_.seconds_keys()[given.key], given.seconds);
  }
  for (std::size_t k = 0; k < forward_.output_count(op); ++k) {
    const TensorId tensor = forward_.output(op, k);
    OutputSpec output = spec(tensor);
    output.resident = forward_.resident(tensor);
    output.alias = forward_.alias(tensor);
    builder_.add_output(copy, output);
  }
}

void TrainingBuilder::copy_edges(OpId op) {
  for (const TensorId input : forward_.inputs(op)) builder_.add_input(op, ref(input));
  for (const OpId earlier : forward_.after(op)) builder_.add_after(op, earlier);
}

void TrainingBuilder::find_dependent() {
  depends_.assign(forward_.tensor_count(), 0);
  gradients_.resize(forward_.tensor_count());
  for (const OpId op : forward_.topological_order()) {
    const GradientRule rule = gradient_rule(forward_.op_type(op));
    // Ops with weights of their own, which are not Variables, are trained as well.
    bool dependent = is_weight(op) || forward_.param_bytes(op) > 0;
    const auto inputs = forward_.inputs(op);
    for (std::size_t i = 0; i < std::min<std::size_t>(inputs.size(), rule.inputs); ++i) {
      dependent = dependent || depends_[inputs[i].index()];
    }
    if (!dependent || rule.kind == GradientRule::Kind::none) continue;
    for (std::size_t k = 0; k < forward_.output_count(op); ++k) {
      const TensorId output = forward_.output(op, k);
      // Integers carry no gradient, so nothing behind them leads back to the weight this way.
      depends_[output.index()] = has_slope(forward_.dtype(output));
    }
  }
}

void TrainingBuilder::add_losses() {
  std::vector<TensorId> outputs;
  for (const TensorId output : forward_.graph_outputs()) {
    const bool seen = std::find(outputs.begin(), outputs.end(), output) != outputs.end();
    // An output that depends on no weight would give a loss without a gradient.
    if (depends_[output.index()] && !seen) outputs.push_back(output);
  }
  if (outputs.empty()) {
    throw InputError(fmt::format(
        "{} cannot be trained: {}; a weight is an op of type Variable with one output, or an op "
        "with \"param_bytes\", and it must lead to one of the graph's \"outputs\"",
        quoted(forward_.name()),
        forward_.graph_outputs().empty() ? "it names no outputs to compute a loss from"
                                         : "none of its outputs depends on a weight"));
  }
  if (outputs.size() == 1) {
    builder_.add_graph_output(add_loss(outputs.front(), unused("loss")));
    return;
  }
  std::vector<TensorRef> losses;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    losses.push_back(add_loss(outputs[i], unused(fmt::format("loss_{}", i))));
  }
  const OpId sum = builder_.add_op(unused("loss"), "Sum");
  for (const TensorRef loss : losses) builder_.add_input(sum, loss);
  builder_.set_flops(sum, static_cast<double>(losses.size()));
  builder_.add_graph_output(
      builder_.add_output(sum, {.bytes = 4, .has_shape = true, .dtype = DType::f32}));
}

TensorRef TrainingBuilder::add_loss(TensorId output, const std::string& name) {
  const OpId producer = forward_.producer(output);
  const auto with_layer = [&](OpId op) {
    if (forward_.layer(producer) == Graph::kNone) return;
    builder_.set_layer(op, forward_.layer_names()[forward_.layer(producer)]);
  };
  const OpId labels = builder_.add_op(unused(name + "/labels"), "Input");
  with_layer(labels);
  // One class number per position: the shape of the output without its last axis.
  std::vector<std::int64_t> shape;
  if (forward_.has_shape(output)) {
    const auto logits = forward_.shape(output);
    if (!logits.empty()) shape.assign(logits.begin(), logits.end() - 1);
  }
  const TensorRef truth =
      builder_.add_output(labels, {.shape = shape, .has_shape = true, .dtype = DType::i32});

  const OpId loss = builder_.add_op(name, "SoftmaxCrossEntropyLoss");
  builder_.set_flops(loss, kLossFlops * elements(output));
  const TensorRef scalar =
      builder_.add_output(loss, {.bytes = 4, .has_shape = true, .dtype = DType::f32});
  const OpId gradient = builder_.add_op(unused(name + "/grad"), "SoftmaxCrossEntropyLossGrad");
  builder_.set_flops(gradient, kLossFlops * elements(output));
  const TensorRef slope = builder_.add_output(gradient, spec(output));
  // The gradient of the loss needs no value of it, but no backward pass begins before the loss.
  builder_.add_after(gradient, loss);
  for (const OpId op : {loss, gradient}) {
    with_layer(op);
    builder_.set_colocation(op, name);
    builder_.add_input(op, ref(output));
    builder_.add_input(op, truth);
  }
  accumulate(output, slope);
  return scalar;
}

Graph make_training_graph(const Graph& forward, const TrainingOptions& options) {
  if (forward.precision() == DType::i8) {
    throw InputError(fmt::format("{} cannot be trained in i8, which is a precision for inference "
                                 "only; train it in f16 or bf16, or use the mode inference",
                                 quoted(forward.name())),
                     {.code = ErrorCode::bad_option, .subject = "precision"});
  }
  // Gradients and optimizer state are a few times as large as what they belong to. With this room
  // nothing can overflow on the way to the training graph.
  constexpr std::int64_t kRoom = 16;
  check_total_bytes(forward, kRoom, " in training, with gradients and the optimizer's state,");
  const std::size_t chosen = static_cast<std::size_t>(options.optimizer);
  return TrainingBuilder(forward, optimizers()[chosen]).build();
}

}  // namespace berth
