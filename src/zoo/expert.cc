#include "zoo/expert.h"

#include <algorithm>

namespace berth {

std::optional<Plan> split_layers_over_gpus(const Problem& problem) {
  const Graph& graph = problem.graph();
  std::vector<DeviceId> gpus;
  for (std::size_t d = 0; d < problem.device_count(); ++d) {
    if (problem.cluster().device(DeviceId(d)).kind == "gpu") gpus.emplace_back(d);
  }
  if (gpus.empty()) return std::nullopt;

  const std::size_t layers = std::max<std::size_t>(graph.layer_names().size(), 1);
  Plan plan{.placement = std::vector<DeviceId>(graph.op_count())};
  std::size_t layer = 0;
  for (std::size_t i = 0; i < graph.op_count(); ++i) {
    const OpId op(i);
    // Layers are numbered in order of first appearance.
    if (graph.layer(op) != Graph::kNone) layer = graph.layer(op);
    const OpId first = problem.members(problem.group(op)).front();
    if (first != op) {
      plan.placement[i] = plan.placement[first.index()];
      continue;
    }
    const DeviceId gpu = gpus[layer * gpus.size() / layers];
    plan.placement[i] = problem.allowed(op, gpu) ? gpu : problem.allowed_devices(op).front();
  }
  if (!violations(problem, plan, 1).empty()) return std::nullopt;
  return plan;
}

}  // namespace berth
