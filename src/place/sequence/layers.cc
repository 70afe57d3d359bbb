#include "place/sequence/layers.h"

#include "place/groups/free_ops.h"

namespace berth::place {
namespace {

constexpr std::uint32_t kUnknown = 0xffffffffu;

Layers walk(const Problem& problem, bool use_labels) {
  const Graph& graph = problem.graph();
  Layers layers;
  layers.of_group.assign(problem.group_count(), kUnknown);
  std::vector<std::uint32_t> of_label(graph.layer_names().size(), kUnknown);
  std::vector<std::uint32_t> group_labels(problem.group_count(), Graph::kNone);
  const std::vector<OpId> order = FreeOps(problem).late_order();
  if (use_labels) {
    for (const OpId op : order) {
      std::uint32_t& label = group_labels[problem.group(op).index()];
      if (label == Graph::kNone) label = graph.layer(op);
    }
  }
  const auto open_layer = [&] { return static_cast<std::uint32_t>(layers.count++); };
  std::uint32_t current = kUnknown;
  for (const OpId op : order) {
    const std::size_t group = problem.group(op).index();
    if (layers.of_group[group] != kUnknown) continue;
    const std::uint32_t label = group_labels[group];
    if (label != Graph::kNone) {
      if (of_label[label] == kUnknown) of_label[label] = open_layer();
      current = of_label[label];
    } else if (current == kUnknown || of_label.empty() || !use_labels) {
      current = open_layer();
    }
    layers.of_group[group] = current;
  }
  return layers;
}

}  // namespace

Layers find_layers(const Problem& problem) { return walk(problem, true); }
Layers groups_as_layers(const Problem& problem) { return walk(problem, false); }

}  // namespace berth::place
