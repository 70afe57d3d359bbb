#include "report/costed_graph.h"

#include <algorithm>
#include <string>
#include <vector>

#include "graph/graph_builder.h"

namespace berth::report {
namespace {

struct CostLabel {
  std::string label;
  DeviceId device;  // any that answers to it
};

// Whether all devices that answer to the label cost the same.
bool is_uniform(const Problem& problem, const std::string& label, DeviceId device) {
  for (std::size_t d = 0; d < problem.device_count(); ++d) {
    if (!problem.cluster().device(DeviceId(d)).answers_to(label)) continue;
    if (problem.device_class(DeviceId(d)) != problem.device_class(device)) return false;
  }
  return true;
}

std::vector<CostLabel> cost_labels(const Problem& problem) {
  std::vector<CostLabel> labels;
  for (std::size_t d = 0; d < problem.device_count(); ++d) {
    const Device& device = problem.cluster().device(DeviceId(d));
    std::string chosen = device.name;
    for (const std::string& label : {device.kind, device.model}) {
      if (label.empty() || !is_uniform(problem, label, DeviceId(d))) continue;
      chosen = label;
      break;
    }
    const bool known = std::any_of(labels.begin(), labels.end(),
                                   [&](const CostLabel& label) { return label.label == chosen; });
    if (!known) labels.push_back({chosen, DeviceId(d)});
  }
  return labels;
}

void copy_op(const Problem& problem, OpId op, const std::vector<CostLabel>& labels,
             GraphBuilder& builder) {
  const Graph& graph = problem.graph();
  builder.add_op(graph.op_name(op), graph.op_type(op));
  builder.set_flops(op, graph.flops(op));
  builder.set_param_bytes(op, graph.param_bytes(op));
  builder.set_temp_bytes(op, graph.temp_bytes(op));
  if (const std::uint32_t label = graph.colocation_label(op); label != Graph::kNone) {
    builder.set_colocation(op, graph.colocation_labels()[label]);
  }
  if (const std::uint32_t layer = graph.layer(op); layer != Graph::kNone) {
    builder.set_layer(op, graph.layer_names()[layer]);
  }
  if (const std::uint32_t set = graph.device_set(op); set != Graph::kNone) {
    builder.set_devices(op, graph.device_sets()[set]);
  }
  for (const CostLabel& label : labels) {
    const double seconds = problem.seconds(op, label.device);
    if (seconds != Problem::kImpossible) builder.add_seconds(op, label.label, seconds);
  }
  for (std::size_t k = 0; k < graph.output_count(op); ++k) {
    const TensorId tensor = graph.output(op, k);
    builder.add_output(op, {.bytes = graph.bytes(tensor),
                            .shape = graph.shape(tensor),
                            .has_shape = graph.has_shape(tensor),
                            .dtype = graph.dtype(tensor),
                            .resident = graph.resident(tensor),
                            .alias = graph.alias(tensor)});
  }
}

}  // namespace

Graph costed_graph(const Problem& problem) {
  const Graph& graph = problem.graph();
  const std::vector<CostLabel> labels = cost_labels(problem);
  GraphBuilder builder(graph.name());
  builder.set_precision(graph.precision());
  const auto reference = [&](TensorId tensor) {
    return TensorRef{graph.producer(tensor),
                     static_cast<std::uint32_t>(graph.output_index(tensor))};
  };
  for (std::size_t i = 0; i < graph.op_count(); ++i) copy_op(problem, OpId(i), labels, builder);
  for (std::size_t i = 0; i < graph.op_count(); ++i) {
    for (const TensorId tensor : graph.inputs(OpId(i)))
      builder.add_input(OpId(i), reference(tensor));
    for (const OpId earlier : graph.after(OpId(i))) builder.add_after(OpId(i), earlier);
  }
  for (const TensorId tensor : graph.graph_outputs()) builder.add_graph_output(reference(tensor));
  return std::move(builder).build();
}

}  // namespace berth::report
