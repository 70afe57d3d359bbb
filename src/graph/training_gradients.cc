// The gradient ops of one forward op, their sums, and the updates of weights.
#include <fmt/format.h>

#include <algorithm>

#include "graph/training_builder.h"

namespace berth {

// A new op that shares device, layer and allowed devices with `op`. Where times are given, it takes
// `share` of them.
OpId TrainingBuilder::add_beside(OpId op, std::string_view suffix, std::string_view type,
                                 double share) {
  const OpId added = add_in_layer(op, std::string(suffix), type);
  if (forward_.colocation_label(op) == Graph::kNone) {
    // The forward op had no label, so it gets the new one too: a group needs both.
    builder_.set_colocation(op, forward_.op_name(op));
    builder_.set_colocation(added, forward_.op_name(op));
  }
  if (forward_.device_set(op) != Graph::kNone) {
    builder_.set_devices(added, forward_.device_sets()[forward_.device_set(op)]);
  }
  for (const Graph::GivenSeconds& given : forward_.given_seconds(op)) {
    builder_.add_seconds(added, forward_.seconds_keys()[given.key], share * given.seconds);
  }
  return added;
}

void TrainingBuilder::add_gradient(OpId op) {
  bool reached = false;
  for (std::size_t k = 0; k < forward_.output_count(op); ++k) {
    reached = reached || gradients_[forward_.output(op, k).index()].exists();
  }
  if (!reached) return;
  if (is_weight(op)) return add_update(op);
  if (gradients_[forward_.first_output(op).index()].parts == 0) {
    // Only a later output leads to a loss. The conservative rule takes whatever gradients exist.
    std::vector<TensorId> all;
    for (const TensorId input : forward_.inputs(op)) {
      const bool seen = std::find(all.begin(), all.end(), input) != all.end();
      if (depends_[input.index()] && !seen) all.push_back(input);
    }
    if (!all.empty()) add_whole(op, {}, all);
    if (forward_.param_bytes(op) > 0) add_own_weights(op);
    return;
  }

  const GradientRule rule = gradient_rule(forward_.op_type(op));
  const auto inputs = forward_.inputs(op);
  std::vector<TensorId> targets;
  for (std::size_t i = 0; i < std::min<std::size_t>(inputs.size(), rule.inputs); ++i) {
    const bool seen = std::find(targets.begin(), targets.end(), inputs[i]) != targets.end();
    if (depends_[inputs[i].index()] && !seen) targets.push_back(inputs[i]);
  }
  if (!targets.empty()) {
    const bool table = inputs.size() > 1 && targets.front() == inputs[0] &&
                       is_weight(forward_.producer(inputs[0]));
    switch (rule.kind) {
      case GradientRule::Kind::whole:
        add_whole(op, rule, targets);
        break;
      case GradientRule::Kind::product:
        add_products(op, targets);
        break;
      case GradientRule::Kind::pass:
        add_passed(op, targets);
        break;
      case GradientRule::Kind::view:
        add_view(op, targets.front());
        break;
      case GradientRule::Kind::rows:
        if (table) {
          add_rows(op, targets.front());
        } else {
          add_whole(op, {.reads_outputs = false, .flops = 1}, {&targets.front(), 1});
        }
        break;
      case GradientRule::Kind::none:
        break;
    }
  }
  if (forward_.param_bytes(op) > 0) add_own_weights(op);
}

// One gradient op for all targets. All gradients of the op's outputs that exist become its inputs.
void TrainingBuilder::add_whole(OpId op, const GradientRule& rule,
                                std::span<const TensorId> targets) {
  const std::string type =
      rule.type.empty() ? std::string(forward_.op_type(op)) + "Grad" : std::string(rule.type);
  const OpId added = add_beside(op, "grad", type, rule.flops);
  builder_.set_flops(added, rule.flops * forward_.flops(op));
  for (std::size_t k = 0; k < forward_.output_count(op); ++k) {
    const TensorId output = forward_.output(op, k);
    if (gradients_[output.index()].parts > 0) {
      builder_.add_input(added, gradients_[output.index()].sum);
    }
    if (rule.reads_outputs) builder_.add_input(added, ref(output));
  }
  if (rule.reads_inputs) {
    for (const TensorId input : forward_.inputs(op)) builder_.add_input(added, ref(input));
  }
  std::vector<TensorRef> slopes;  // all outputs of an op come before any other op
  for (const TensorId target : targets) slopes.push_back(builder_.add_output(added, spec(target)));
  for (std::size_t i = 0; i < targets.size(); ++i) accumulate(targets[i], slopes[i]);
}

void TrainingBuilder::add_products(OpId op, std::span<const TensorId> targets) {
  const auto inputs = forward_.inputs(op);
  const bool any_operands = forward_.op_type(op) == "Einsum";
  for (const TensorId target : targets) {
    const auto position = std::find(inputs.begin(), inputs.end(), target) - inputs.begin();
    // A third operand of Conv or Gemm is a bias: its gradient is a sum, not another product.
    const bool bias = position >= 2 && !any_operands;
    const std::string type =
        bias ? std::string("ReduceSum") : std::string(forward_.op_type(op)) + "Grad";
    const OpId added = add_beside(op, fmt::format("grad_{}", position), type, bias ? 0 : 1);
    builder_.set_flops(added, bias ? elements(forward_.first_output(op)) : forward_.flops(op));
    builder_.add_input(added, sum_of(op));
    for (std::size_t i = 0; i < inputs.size() && !bias; ++i) {
      const bool other = static_cast<std::ptrdiff_t>(i) != position && (i < 2 || any_operands);
      if (other) builder_.add_input(added, ref(inputs[i]));
    }
    accumulate(target, builder_.add_output(added, spec(target)));
  }
}

// The sign of a subtracted input is left to the reader of the gradient, where it costs nothing.
void TrainingBuilder::add_passed(OpId op, std::span<const TensorId> targets) {
  const TensorId output = forward_.first_output(op);
  std::vector<TensorId> equal, broadcast;
  for (const TensorId target : targets) {
    (same_shape(target, output) ? equal : broadcast).push_back(target);
  }
  if (!equal.empty()) {
    const OpId added = add_beside(op, "grad", "Identity", 0);
    builder_.add_input(added, sum_of(op));
    std::vector<TensorRef> slopes;
    for (const TensorId target : equal) {
      OutputSpec same = spec(target);
      same.alias = 0;
      slopes.push_back(builder_.add_output(added, same));
    }
    for (std::size_t i = 0; i < equal.size(); ++i) accumulate(equal[i], slopes[i]);
  }
  for (std::size_t i = 0; i < broadcast.size(); ++i) {
    const OpId added = add_beside(op, fmt::format("grad_{}", i + 1), "ReduceSum", 1);
    builder_.set_flops(added, elements(output));
    builder_.add_input(added, sum_of(op));
    accumulate(broadcast[i], builder_.add_output(added, spec(broadcast[i])));
  }
}

void TrainingBuilder::add_view(OpId op, TensorId target) {
  const OpId added = add_beside(op, "grad", forward_.op_type(op), 0);
  builder_.add_input(added, sum_of(op));
  OutputSpec same = spec(target);
  // A view of another size is not a view: the file is broken, or the type is not as the table
  // assumes.
  if (forward_.bytes(target) == forward_.bytes(forward_.first_output(op))) same.alias = 0;
  accumulate(target, builder_.add_output(added, same));
}

void TrainingBuilder::add_rows(OpId op, TensorId table) {
  const OpId added = add_beside(op, "grad", "Reshape", 0);
  builder_.add_input(added, sum_of(op));
  OutputSpec rows = spec(forward_.first_output(op));
  rows.alias = 0;
  Gradient& gradient = gradients_[table.index()];
  gradient.rows.push_back(builder_.add_output(added, rows));
  gradient.indices.push_back(ref(forward_.inputs(op)[1]));
  gradient.row_bytes += rows.bytes;
}

void TrainingBuilder::add_own_weights(OpId op) {
  const OpId added = add_beside(op, "grad_weights", std::string(forward_.op_type(op)) + "Grad", 1);
  builder_.set_flops(added, forward_.flops(op));
  for (std::size_t k = 0; k < forward_.output_count(op); ++k) {
    const Gradient& gradient = gradients_[forward_.output(op, k).index()];
    if (gradient.parts > 0) builder_.add_input(added, gradient.sum);
  }
  for (const TensorId input : forward_.inputs(op)) builder_.add_input(added, ref(input));
  const std::int64_t bytes = forward_.param_bytes(op);
  const DType dtype = forward_.dtype(forward_.first_output(op));
  const TensorRef slope = builder_.add_output(added, {.bytes = bytes, .dtype = dtype});
  const OpId update = add_beside(op, "update", optimizer_.update_type, 0);
  builder_.set_flops(update,
                     optimizer_.flops * 8 * static_cast<double>(bytes) / element_bits(dtype));
  builder_.set_param_bytes(update, state_bytes(bytes, dtype, {}));
  builder_.add_input(update, slope);
}

void TrainingBuilder::add_update(OpId variable) {
  const TensorId weights = forward_.first_output(variable);
  const Gradient& gradient = gradients_[weights.index()];
  const std::int64_t kept_bytes =
      state_bytes(forward_.bytes(weights), forward_.dtype(weights), spec(weights).shape);
  const double row_elements =
      8 * static_cast<double>(gradient.row_bytes) / element_bits(forward_.dtype(weights));
  if (gradient.parts == 0) {
    // Most of the state of a table is not touched in a step. So it belongs to the table and not to
    // the update, whose cost would include reading all of it.
    const TensorRef rows = join_rows(variable, gradient);
    const OpId update =
        add_beside(variable, "update", fmt::format("Scatter{}", optimizer_.update_type), 0);
    builder_.set_param_bytes(variable, forward_.param_bytes(variable) + kept_bytes);
    builder_.set_flops(update, optimizer_.flops * row_elements);
    builder_.add_input(update, rows);
    for (const TensorRef indices : gradient.indices) builder_.add_input(update, indices);
    return;
  }
  // A table that is also read as a whole (tied embeddings) has both kinds of gradient: the rows are
  // scattered into the sum.
  TensorRef sum = gradient.sum;
  if (!gradient.rows.empty()) {
    const TensorRef rows = join_rows(variable, gradient);
    const OpId scatter = add_in_layer(variable, "grad_scatter", "ScatterAdd");
    builder_.set_flops(scatter, row_elements);
    builder_.add_input(scatter, sum);
    builder_.add_input(scatter, rows);
    for (const TensorRef indices : gradient.indices) builder_.add_input(scatter, indices);
    OutputSpec same = spec(weights);
    same.alias = 0;
    sum = builder_.add_output(scatter, same);
  }
  const OpId update = add_beside(variable, "update", optimizer_.update_type, 0);
  builder_.set_flops(update, optimizer_.flops * elements(weights));
  builder_.set_param_bytes(update, kept_bytes);
  builder_.add_input(update, sum);
  builder_.add_input(update, ref(weights));
  OutputSpec updated = spec(weights);
  // In place: the new weights take the memory of the old ones (input 1).
  updated.alias = 1;
  builder_.add_output(update, updated);
}

TensorRef TrainingBuilder::join_rows(OpId variable, const Gradient& gradient) {
  if (gradient.rows.size() == 1) return gradient.rows.front();
  const OpId all = add_in_layer(variable, "grad_rows", "Concat");
  for (const TensorRef rows : gradient.rows) builder_.add_input(all, rows);
  return builder_.add_output(
      all, {.bytes = gradient.row_bytes, .dtype = forward_.dtype(forward_.first_output(variable))});
}

OpId TrainingBuilder::add_in_layer(OpId op, const std::string& suffix, std::string_view type) {
  const OpId added =
      builder_.add_op(unused(fmt::format("{}/{}", forward_.op_name(op), suffix)), type);
  if (forward_.layer(op) != Graph::kNone) {
    builder_.set_layer(added, forward_.layer_names()[forward_.layer(op)]);
  }
  if (forward_.colocation_label(op) != Graph::kNone) {
    builder_.set_colocation(added, forward_.colocation_labels()[forward_.colocation_label(op)]);
  }
  return added;
}

// The first sum needs a buffer of its own, since a part may be a view of a tensor that others still
// read. Later sums are written into it.
void TrainingBuilder::accumulate(TensorId tensor, TensorRef part) {
  Gradient& gradient = gradients_[tensor.index()];
  if (gradient.parts == 0) {
    gradient.sum = part;
    gradient.parts = 1;
    return;
  }
  const OpId sum =
      add_in_layer(forward_.producer(tensor), fmt::format("grad_sum_{}", gradient.parts), "Add");
  builder_.add_input(sum, gradient.sum);
  builder_.add_input(sum, part);
  builder_.set_flops(sum, elements(tensor));
  OutputSpec same = spec(tensor);
  if (gradient.parts > 1) same.alias = 0;
  gradient.sum = builder_.add_output(sum, same);
  ++gradient.parts;
}

}  // namespace berth
