#include "frontends/onnx/node_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <queue>
#include <unordered_map>
#include <unordered_set>

#include "base/error.h"

namespace berth::onnx {
namespace {

using Makers = std::unordered_map<std::string_view, std::uint32_t>;

Makers makers_of(std::span<const Node> nodes, std::string_view source) {
  Makers makers;
  makers.reserve(nodes.size());
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    for (const std::string_view output : nodes[i].outputs) {
      if (output.empty()) continue;
      const auto [found, added] = makers.try_emplace(output, i);
      if (added) continue;
      throw InputError(fmt::format(
          "{}: {} and {} both make {}; a tensor can have only one producer", quoted(source),
          describe(nodes[found->second]), describe(nodes[i]), quoted(output)));
    }
  }
  return makers;
}

// Calls `use` with the position of every node that `node` must wait for.
template <class Use>
void for_each_earlier(const Node& node, const Makers& makers, Use&& use) {
  const auto look_up = [&](std::string_view name) {
    if (const auto found = makers.find(name); found != makers.end()) use(found->second);
  };
  for (const std::string_view input : node.inputs) look_up(input);
  for (const Attribute& attribute : node.attributes) {
    for (const Graph& graph : attribute.graphs) {
      for (const std::string_view name : captured_names(graph)) look_up(name);
    }
  }
}

[[noreturn]] void fail_cyclic(std::span<const Node> nodes, const std::vector<bool>& done,
                              std::string_view source) {
  std::vector<std::string> stuck;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!done[i]) stuck.push_back(describe(nodes[i]));
  }
  throw InputError(
      fmt::format("{}: nodes wait for each other's outputs, among them {}; a graph must be acyclic",
                  quoted(source), join_names(stuck, 4)));
}

}  // namespace

std::string describe(const Node& node) {
  std::string_view name = node.name;
  for (const std::string_view output : node.outputs) {
    if (name.empty()) name = output;
  }
  const std::string type = quoted(node.op_type);
  return fmt::format("node {} ({})", quoted(name), type.substr(1, type.size() - 2));
}

std::vector<std::string_view> captured_names(const Graph& graph) {
  std::unordered_set<std::string_view> made;
  for (const ValueInfo& input : graph.inputs) made.insert(input.name);
  for (const Tensor& tensor : graph.initializers) made.insert(tensor.name);
  for (const Node& node : graph.nodes) made.insert(node.outputs.begin(), node.outputs.end());
  std::vector<std::string_view> captured;
  std::unordered_set<std::string_view> seen;
  const auto read = [&](std::string_view name) {
    if (!name.empty() && !made.contains(name) && seen.insert(name).second) captured.push_back(name);
  };
  for (const Node& node : graph.nodes) {
    for (const std::string_view input : node.inputs) read(input);
    for (const Attribute& attribute : node.attributes) {
      for (const Graph& inner : attribute.graphs) {
        for (const std::string_view name : captured_names(inner)) read(name);
      }
    }
  }
  for (const ValueInfo& output : graph.outputs) read(output.name);
  return captured;
}

std::vector<std::uint32_t> execution_order(std::span<const Node> nodes, std::string_view source) {
  const Makers makers = makers_of(nodes, source);
  std::vector<std::uint32_t> missing(nodes.size(), 0);
  std::vector<std::vector<std::uint32_t>> later;
  bool listed_in_order = true;
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    for_each_earlier(nodes[i], makers, [&](std::uint32_t earlier) {
      ++missing[i];
      listed_in_order = listed_in_order && earlier < i;
    });
  }
  std::vector<std::uint32_t> order;
  order.reserve(nodes.size());
  // Nearly all files are in order, and then no lists of successors have to be made.
  if (listed_in_order) {
    for (std::uint32_t i = 0; i < nodes.size(); ++i) order.push_back(i);
    return order;
  }
  later.resize(nodes.size());
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    for_each_earlier(nodes[i], makers, [&](std::uint32_t earlier) { later[earlier].push_back(i); });
  }
  // The lowest position first, so that the order stays as listed wherever it can.
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    if (missing[i] == 0) ready.push(i);
  }
  std::vector<bool> done(nodes.size(), false);
  while (!ready.empty()) {
    const std::uint32_t node = ready.top();
    ready.pop();
    done[node] = true;
    order.push_back(node);
    for (const std::uint32_t next : later[node]) {
      if (--missing[next] == 0) ready.push(next);
    }
  }
  if (order.size() < nodes.size()) fail_cyclic(nodes, done, source);
  return order;
}

}  // namespace berth::onnx
