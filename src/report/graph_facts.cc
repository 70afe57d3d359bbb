#include "report/graph_facts.h"

#include <algorithm>
#include <numeric>

#include "plan/plan.h"
#include "sim/simulator.h"

namespace berth::report {
namespace {

std::size_t depth_of(const Graph& graph) {
  std::vector<std::size_t> depth(graph.op_count(), 1);
  std::size_t deepest = 0;
  for (const OpId op : graph.topological_order()) {
    for (const OpId earlier : graph.predecessors(op)) {
      depth[op.index()] = std::max(depth[op.index()], depth[earlier.index()] + 1);
    }
    deepest = std::max(deepest, depth[op.index()]);
  }
  return deepest;
}

std::vector<TypeFacts> types_of(const Graph& graph) {
  std::vector<TypeFacts> types(graph.type_names().size());
  for (std::uint32_t t = 0; t < graph.type_names().size(); ++t)
    types[t].type = graph.type_names()[t];
  for (std::size_t i = 0; i < graph.op_count(); ++i) {
    TypeFacts& facts = types[graph.type_index(OpId(i))];
    facts.ops += 1;
    facts.flops += graph.flops(OpId(i));
    facts.param_bytes += graph.param_bytes(OpId(i));
  }
  std::erase_if(types, [](const TypeFacts& facts) { return facts.ops == 0; });
  std::stable_sort(types.begin(), types.end(), [](const TypeFacts& a, const TypeFacts& b) {
    return a.flops != b.flops ? a.flops > b.flops : a.ops > b.ops;
  });
  return types;
}

// The largest by `bytes_of`, zero ones left out; equal ones in order of number.
template <class Item, class Bytes>
std::vector<Item> largest(std::size_t count, std::size_t most, const Bytes& bytes_of) {
  std::vector<Item> items;
  for (std::size_t i = 0; i < count; ++i) {
    if (bytes_of(Item(i)) > 0) items.emplace_back(i);
  }
  const std::size_t kept = std::min(most, items.size());
  std::partial_sort(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(kept), items.end(),
                    [&](Item a, Item b) {
                      return bytes_of(a) != bytes_of(b) ? bytes_of(a) > bytes_of(b) : a < b;
                    });
  items.resize(kept);
  return items;
}

bool alike(const Problem& problem, DeviceId left, DeviceId right) {
  return problem.device_class(left) == problem.device_class(right) &&
         problem.usable_bytes(left) == problem.usable_bytes(right);
}

DeviceFacts facts_of(const Problem& problem, Simulator& simulator, DeviceId device) {
  DeviceFacts facts;
  facts.device = device;
  for (std::size_t i = 0; i < problem.op_count(); ++i) {
    if (!problem.allowed(OpId(i), device)) {
      facts.forbidden_ops += 1;
    } else {
      facts.total_seconds += problem.seconds(OpId(i), device);
    }
  }
  if (facts.forbidden_ops > 0) return facts;
  facts.outcome =
      simulator.evaluate({.placement = std::vector<DeviceId>(problem.op_count(), device)});
  return facts;
}

}  // namespace

GraphFacts graph_facts(const Graph& graph, std::size_t most_listed) {
  GraphFacts facts;
  facts.ops = graph.op_count();
  facts.edges = graph.edge_count();
  facts.tensors = graph.tensor_count();
  for (std::size_t i = 0; i < graph.op_count(); ++i) {
    facts.param_bytes += graph.param_bytes(OpId(i));
    facts.flops += graph.flops(OpId(i));
  }
  const auto own_bytes = [&](TensorId tensor) {
    const bool owns = !graph.resident(tensor) && graph.alias(tensor) == Graph::kNone;
    return owns ? graph.bytes(tensor) : std::int64_t{0};
  };
  for (std::size_t t = 0; t < graph.tensor_count(); ++t)
    facts.tensor_bytes += own_bytes(TensorId(t));
  facts.depth = depth_of(graph);
  facts.layers = graph.layer_names().size();
  facts.colocation_labels = graph.colocation_labels().size();
  facts.types = types_of(graph);
  facts.largest_tensors = largest<TensorId>(graph.tensor_count(), most_listed, own_bytes);
  facts.largest_params =
      largest<OpId>(graph.op_count(), most_listed, [&](OpId op) { return graph.param_bytes(op); });
  return facts;
}

std::vector<DeviceFacts> device_facts(const Problem& problem, std::size_t most_devices) {
  std::vector<DeviceFacts> all;
  Simulator simulator(problem);
  for (std::size_t d = 0; d < problem.device_count() && all.size() < most_devices; ++d) {
    const DeviceId device(d);
    const bool known = std::any_of(all.begin(), all.end(), [&](const DeviceFacts& facts) {
      return alike(problem, facts.device, device);
    });
    if (!known) all.push_back(facts_of(problem, simulator, device));
  }
  return all;
}

}  // namespace berth::report
