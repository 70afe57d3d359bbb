#include "zoo/expert.h"

#include <algorithm>
#include <cctype>

namespace berth::zoo {
namespace {

std::vector<DeviceId> gpus_of(const Problem& problem) {
  std::vector<DeviceId> gpus;
  for (std::size_t d = 0; d < problem.device_count(); ++d) {
    if (problem.cluster().device(DeviceId(d)).kind == "gpu") gpus.emplace_back(d);
  }
  return gpus;
}

// The number a label ends in: 3 of "encoder_3".
std::optional<std::size_t> trailing_number(std::string_view label) {
  std::size_t begin = label.size();
  while (begin > 0 && std::isdigit(static_cast<unsigned char>(label[begin - 1]))) --begin;
  if (begin == label.size() || label.size() - begin > 6) return std::nullopt;
  std::size_t number = 0;
  for (const char c : label.substr(begin)) number = 10 * number + static_cast<std::size_t>(c - '0');
  return number;
}

}  // namespace

std::optional<Plan> place_layers(const Problem& problem, const GpuOfLayer& gpu_of_layer) {
  const Graph& graph = problem.graph();
  const std::vector<DeviceId> gpus = gpus_of(problem);
  if (gpus.empty()) return std::nullopt;
  // Layers are numbered in order of first appearance.
  std::vector<DeviceId> device_of_layer;
  for (std::uint32_t layer = 0; layer < graph.layer_names().size(); ++layer) {
    device_of_layer.push_back(gpus[gpu_of_layer(graph.layer_names()[layer], layer) % gpus.size()]);
  }
  Plan plan{.placement = std::vector<DeviceId>(graph.op_count())};
  DeviceId gpu = device_of_layer.empty() ? gpus.front() : device_of_layer.front();
  for (std::size_t i = 0; i < graph.op_count(); ++i) {
    const OpId op(i);
    if (graph.layer(op) != Graph::kNone) gpu = device_of_layer[graph.layer(op)];
    const OpId first = problem.members(problem.group(op)).front();
    if (first != op) {
      plan.placement[i] = plan.placement[first.index()];
      continue;
    }
    plan.placement[i] = problem.allowed(op, gpu) ? gpu : problem.allowed_devices(op).front();
  }
  if (!violations(problem, plan, 1).empty()) return std::nullopt;
  return plan;
}

std::optional<Plan> one_gpu(const Problem& problem) {
  return place_layers(problem, [](std::string_view, std::size_t) { return 0; });
}

std::optional<Plan> split_layers_over_gpus(const Problem& problem) {
  const std::size_t layers = std::max<std::size_t>(problem.graph().layer_names().size(), 1);
  const std::size_t gpus = gpus_of(problem).size();
  return place_layers(problem,
                      [=](std::string_view, std::size_t layer) { return layer * gpus / layers; });
}

std::optional<Plan> one_gpu_a_recurrent_layer(const Problem& problem) {
  const StringTable& labels = problem.graph().layer_names();
  std::size_t last = 0;
  for (std::uint32_t layer = 0; layer < labels.size(); ++layer) {
    last = std::max(last, trailing_number(labels[layer]).value_or(0));
  }
  // With fewer layers than GPUs the others stay idle; with more, layers go round.
  return place_layers(problem, [=](std::string_view label, std::size_t) {
    return label == "embedding" ? 0 : trailing_number(label).value_or(last);
  });
}

}  // namespace berth::zoo
