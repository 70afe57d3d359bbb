#include "place/sequence/linear_graph.h"

#include <algorithm>
#include <limits>

#include "place/groups/free_ops.h"

namespace berth::place {
namespace {

std::optional<LinearGraph> plain_path(const Graph& graph) {
  LinearGraph path;
  OpId last;
  for (const OpId op : graph.topological_order()) {
    const auto before = graph.predecessors(op);
    const bool follows = last.valid() ? before.size() == 1 && before[0] == last : before.empty();
    if (!follows) return std::nullopt;
    path.push_back({op, {}});
    last = op;
  }
  return path;
}

// A path of the other ops, each free op read (through free ops) by one op of the path only.
std::optional<LinearGraph> path_with_free_ops(const Graph& graph, const FreeOps& free_ops) {
  constexpr std::uint32_t kUnknown = 0xffffffffu;
  LinearGraph path;
  std::vector<std::uint32_t> links(graph.op_count(), kUnknown);
  for (const OpId op : graph.topological_order()) {
    if (free_ops.contains(op)) continue;
    std::size_t linked = 0;
    for (const OpId before : graph.predecessors(op)) {
      if (free_ops.contains(before)) continue;
      if (path.empty() || before != path.back().op) return std::nullopt;
      ++linked;
    }
    if (linked != (path.empty() ? 0 : 1)) return std::nullopt;
    links[op.index()] = static_cast<std::uint32_t>(path.size());
    path.push_back({op, {}});
  }
  if (path.empty()) return std::nullopt;
  const auto order = graph.topological_order();
  for (std::size_t position = order.size(); position-- > 0;) {
    const OpId op = order[position];
    if (!free_ops.contains(op)) continue;
    std::uint32_t& link = links[op.index()];
    for (const OpId after : graph.successors(op)) {
      if (link != kUnknown && link != links[after.index()]) return std::nullopt;
      link = links[after.index()];
    }
    // Read by nothing: it may be anywhere.
    if (link == kUnknown) link = 0;
    path[link].free_ops.push_back(op);
  }
  return path;
}

// Decisions must be free of one another: no group spans two links, and what an op brings with it
// may go wherever the op may.
bool is_separable(const Problem& problem, const LinearGraph& path) {
  std::vector<std::uint32_t> links(problem.group_count(), 0xffffffffu);
  const auto claims = [&](OpId op, std::size_t link) {
    std::uint32_t& owner = links[problem.group(op).index()];
    if (owner == 0xffffffffu) owner = static_cast<std::uint32_t>(link);
    return owner == link;
  };
  for (std::size_t link = 0; link < path.size(); ++link) {
    if (!claims(path[link].op, link)) return false;
    for (const OpId free : path[link].free_ops) {
      if (!claims(free, link)) return false;
      for (const DeviceId device : problem.allowed_devices(path[link].op)) {
        if (!problem.allowed(free, device)) return false;
      }
    }
  }
  return true;
}

// Distinct tensors that the op reads from the op before it.
std::vector<TensorId> passed_on(const Graph& graph, OpId from, OpId to) {
  std::vector<TensorId> tensors;
  for (const TensorId tensor : graph.inputs(to)) {
    if (graph.producer(tensor) == from) tensors.push_back(tensor);
  }
  std::sort(tensors.begin(), tensors.end());
  tensors.erase(std::unique(tensors.begin(), tensors.end()), tensors.end());
  return tensors;
}

}  // namespace

std::optional<LinearGraph> as_linear_graph(const Problem& problem) {
  std::optional<LinearGraph> path = plain_path(problem.graph());
  if (!path) path = path_with_free_ops(problem.graph(), FreeOps(problem));
  if (!path || path->empty() || !is_separable(problem, *path)) return std::nullopt;
  return path;
}

Handovers::Handovers(const Problem& problem, const LinearGraph& path)
    : problem_(problem), tensors_(path.size()) {
  for (std::size_t link = 1; link < path.size(); ++link) {
    tensors_[link] = passed_on(problem.graph(), path[link - 1].op, path[link].op);
  }
}

double Handovers::seconds(std::size_t link, DeviceId from, DeviceId to) const {
  if (from == to) return 0;
  double seconds = 0;
  for (const TensorId tensor : tensors_[link]) {
    if (!problem_.cluster().route(from, to).exists()) {
      return std::numeric_limits<double>::infinity();
    }
    seconds += problem_.cluster().transfer_seconds(from, to, problem_.graph().bytes(tensor));
  }
  return seconds;
}

}  // namespace berth::place
