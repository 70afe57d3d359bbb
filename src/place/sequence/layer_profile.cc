#include "place/sequence/layer_profile.h"

#include <algorithm>

namespace berth::place {

std::vector<DeviceKind> find_device_kinds(const Problem& problem,
                                          std::span<const std::int64_t> limits) {
  std::vector<DeviceKind> kinds;
  for (std::size_t index = 0; index < problem.device_count(); ++index) {
    if (limits[index] <= 0) continue;
    const std::size_t cost_class = problem.device_class(DeviceId(index));
    auto found = std::find_if(kinds.begin(), kinds.end(), [&](const DeviceKind& kind) {
      return kind.cost_class == cost_class && kind.limit_bytes == limits[index];
    });
    if (found == kinds.end()) {
      kinds.push_back({cost_class, limits[index], {}});
      found = kinds.end() - 1;
    }
    found->devices.emplace_back(index);
  }
  return kinds;
}

LayerProfile::LayerProfile(const Problem& problem, const Layers& layers)
    : layer_count_(layers.count),
      seconds_(problem.class_count(), std::vector<double>(layers.count + 1, 0)),
      held_bytes_(layers.count + 1, 0),
      largest_op_bytes_(layers.count, 0),
      crossings_(layers.count + 1) {
  const Graph& graph = problem.graph();
  for (std::size_t index = 0; index < problem.op_count(); ++index) {
    const OpId op(index);
    const std::size_t layer = layers.of_group[problem.group(op).index()];
    for (std::size_t cost_class = 0; cost_class < problem.class_count(); ++cost_class) {
      const double seconds = problem.class_seconds(op, cost_class);
      if (seconds != Problem::kImpossible) seconds_[cost_class][layer + 1] += seconds;
    }
    held_bytes_[layer + 1] += static_cast<double>(graph.param_bytes(op));
    auto made = static_cast<double>(graph.temp_bytes(op));
    for (std::size_t k = 0; k < graph.output_count(op); ++k) {
      const TensorId tensor = graph.output(op, k);
      if (!graph.resident(tensor)) made += static_cast<double>(graph.bytes(tensor));
    }
    largest_op_bytes_[layer] = std::max(largest_op_bytes_[layer], made);
  }
  add_alive_at_peak(problem, layers);
  for (std::size_t layer = 0; layer < layer_count_; ++layer) {
    for (auto& sums : seconds_) sums[layer + 1] += sums[layer];
    held_bytes_[layer + 1] += held_bytes_[layer];
  }
  add_crossings(problem, layers);
}

void LayerProfile::add_alive_at_peak(const Problem& problem, const Layers& layers) {
  const Graph& graph = problem.graph();
  const auto order = graph.topological_order();
  std::vector<std::size_t> positions(order.size());
  for (std::size_t at = 0; at < order.size(); ++at) positions[order[at].index()] = at;
  // A view keeps its source alive, so lifetimes are passed from readers to sources, in reverse
  // order.
  std::vector<std::size_t> last_uses(graph.tensor_count());
  std::vector<double> changes(order.size() + 1, 0);
  for (std::size_t at = order.size(); at-- > 0;) {
    const OpId op = order[at];
    for (std::size_t k = 0; k < graph.output_count(op); ++k) {
      const TensorId tensor = graph.output(op, k);
      std::size_t& last_use = last_uses[tensor.index()];
      last_use = std::max(last_use, at);
      for (const OpId reader : graph.consumers(tensor)) {
        last_use = std::max(last_use, positions[reader.index()]);
      }
      if (graph.is_graph_output(tensor)) last_use = order.size() - 1;
      if (const std::uint32_t alias = graph.alias(tensor); alias != Graph::kNone) {
        std::size_t& source = last_uses[graph.inputs(op)[alias].index()];
        source = std::max(source, last_use);
      } else if (!graph.resident(tensor)) {
        changes[at] += static_cast<double>(graph.bytes(tensor));
        changes[last_use + 1] -= static_cast<double>(graph.bytes(tensor));
      }
    }
  }
  double level = 0;
  double peak = 0;
  std::size_t fullest = 0;
  for (std::size_t at = 0; at < order.size(); ++at) {
    level += changes[at];
    if (level <= peak) continue;
    peak = level;
    fullest = at;
  }
  for (std::size_t index = 0; index < graph.tensor_count(); ++index) {
    const TensorId tensor(index);
    const OpId op = graph.producer(tensor);
    if (graph.resident(tensor) || graph.alias(tensor) != Graph::kNone) continue;
    if (positions[op.index()] > fullest || last_uses[index] < fullest) continue;
    held_bytes_[layers.of_group[problem.group(op).index()] + 1] +=
        static_cast<double>(graph.bytes(tensor));
  }
}

void LayerProfile::add_crossings(const Problem& problem, const Layers& layers) {
  const Graph& graph = problem.graph();
  const auto layer_of = [&](OpId op) { return layers.of_group[problem.group(op).index()]; };
  // First as differences, summed up below: a tensor made in layer u and last read in v > u crosses
  // the boundaries u + 1 .. v.
  for (std::size_t index = 0; index < graph.tensor_count(); ++index) {
    const TensorId tensor(index);
    const std::uint32_t made = layer_of(graph.producer(tensor));
    std::uint32_t first = made;
    std::uint32_t last = made;
    for (const OpId reader : graph.consumers(tensor)) {
      first = std::min(first, layer_of(reader));
      last = std::max(last, layer_of(reader));
    }
    const auto bytes = static_cast<double>(graph.bytes(tensor));
    if (last > made) {
      crossings_[made + 1].forward_tensors += 1;
      crossings_[made + 1].forward_bytes += bytes;
      if (last + 1 < crossings_.size()) {
        crossings_[last + 1].forward_tensors -= 1;
        crossings_[last + 1].forward_bytes -= bytes;
      }
    }
    if (first < made) {
      crossings_[first + 1].backward_tensors += 1;
      crossings_[first + 1].backward_bytes += bytes;
      if (made + 1 < crossings_.size()) {
        crossings_[made + 1].backward_tensors -= 1;
        crossings_[made + 1].backward_bytes -= bytes;
      }
    }
  }
  for (std::size_t layer = 1; layer < crossings_.size(); ++layer) {
    crossings_[layer].forward_tensors += crossings_[layer - 1].forward_tensors;
    crossings_[layer].forward_bytes += crossings_[layer - 1].forward_bytes;
    crossings_[layer].backward_tensors += crossings_[layer - 1].backward_tensors;
    crossings_[layer].backward_bytes += crossings_[layer - 1].backward_bytes;
  }
}

}  // namespace berth::place
