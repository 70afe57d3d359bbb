// The cost of a fused group (docs/execution.md, "Fusion").
#include <algorithm>

#include "cost/problem.h"

namespace berth {
namespace {

bool is_member(std::span<const OpId> members, OpId op) {
  return std::binary_search(members.begin(), members.end(), op);
}

// Read only inside and not a graph output: such a tensor never leaves the kernel.
bool is_internal(const Graph& graph, std::span<const OpId> members, TensorId tensor) {
  if (graph.is_graph_output(tensor)) return false;
  const auto consumers = graph.consumers(tensor);
  return !consumers.empty() && std::all_of(consumers.begin(), consumers.end(),
                                           [&](OpId op) { return is_member(members, op); });
}

struct Traffic {
  double external = 0;  // read from and written to memory by the group as a whole
  double internal = 0;  // kept inside
};

Traffic traffic_of(const Graph& graph, std::span<const OpId> members) {
  Traffic traffic;
  std::vector<TensorId> read;
  for (const OpId op : members) {
    traffic.external += static_cast<double>(graph.param_bytes(op));
    for (const TensorId tensor : graph.inputs(op)) {
      if (!is_member(members, graph.producer(tensor))) read.push_back(tensor);
    }
    for (std::size_t k = 0; k < graph.output_count(op); ++k) {
      const TensorId tensor = graph.output(op, k);
      (is_internal(graph, members, tensor) ? traffic.internal : traffic.external) +=
          static_cast<double>(graph.bytes(tensor));
    }
  }
  std::sort(read.begin(), read.end());
  read.erase(std::unique(read.begin(), read.end()), read.end());
  for (const TensorId tensor : read) traffic.external += static_cast<double>(graph.bytes(tensor));
  return traffic;
}

}  // namespace

double Problem::fused_seconds(std::span<const OpId> members, DeviceId device_id) const {
  const Graph& graph = *graph_;
  const Device& device = cluster_->device(device_id);
  const Traffic traffic = traffic_of(graph, members);

  bool any_given = false;
  bool all_free = true;
  OpClass bandwidth_class = OpClass::elementwise;
  for (const OpId op : members) {
    const OpClass op_class = this->op_class(op);
    any_given = any_given || has_given_seconds(op, device_id);
    all_free = all_free && op_class == OpClass::free;
    if (is_heavy(op_class)) bandwidth_class = op_class;
  }

  if (any_given) {
    double sum = 0;
    // A measured time cannot be split into compute and traffic, so what fusion saves is subtracted
    // from the sum, but the group never costs less than its most expensive member.
    double dearest = 0;
    int costly = 0;
    for (const OpId op : members) {
      const double cost = seconds(op, device_id);
      sum += cost;
      dearest = std::max(dearest, cost);
      costly += cost > 0;
    }
    const double saved_launches = std::max(costly - 1, 0) * device.launch_seconds;
    // An internal tensor is neither written nor read back.
    const double saved_traffic = 2 * traffic.internal / device.bandwidth;
    return std::max(dearest, sum - saved_launches - saved_traffic);
  }
  if (all_free) return 0;
  double compute = 0;
  for (const OpId op : members) compute += compute_seconds(graph, op, op_class(op), device);
  const double memory =
      traffic.external / (device.bandwidth * efficiency(bandwidth_class, device).bandwidth);
  return device.launch_seconds + std::max(compute, memory);
}

}  // namespace berth
