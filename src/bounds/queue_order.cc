#include "bounds/queue_order.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace berth::bounds {
namespace {

// All pairs of members are compared, and a group has to fit in a batch.
constexpr std::size_t kMostMembers = 32;  // of a group that is looked at
constexpr std::size_t kBatch = 64;        // ops followed in one pass
constexpr double kMostVisits = 1e8;       // edges over all passes: a few tenths of a second

bool contains(std::span<const TensorId> tensors, TensorId tensor) {
  return std::find(tensors.begin(), tensors.end(), tensor) != tensors.end();
}

// Which of up to 64 ops are ancestors of which ops, from the groups of one batch.
class Ancestors {
 public:
  explicit Ancestors(const Graph& graph)
      : graph_(graph), position_(graph.op_count()), sources_(graph.op_count(), 0) {
    const auto order = graph.topological_order();
    for (std::size_t i = 0; i < order.size(); ++i) position_[order[i].index()] = i;
  }

  // `ops` consists of whole groups; is_ancestor() may only be asked about ops of these groups.
  void follow(std::span<const OpId> ops) {
    const auto order = graph_.topological_order();
    reached_.assign(graph_.op_count(), 0);
    std::size_t first = order.size();
    std::size_t last = 0;
    for (std::size_t i = 0; i < ops.size(); ++i) {
      number_of(ops[i]) = static_cast<std::uint8_t>(i);
      sources_[ops[i].index()] = std::uint64_t{1} << i;
      first = std::min(first, position_[ops[i].index()]);
      last = std::max(last, position_[ops[i].index()]);
    }
    // Nothing outside this stretch of the order lies on a path between two of the ops.
    for (std::size_t i = first; i <= last; ++i) {
      std::uint64_t bits = 0;
      for (const OpId earlier : graph_.predecessors(order[i])) {
        bits |= reached_[earlier.index()] | sources_[earlier.index()];
      }
      reached_[order[i].index()] = bits;
    }
    for (const OpId op : ops) sources_[op.index()] = 0;
  }
  bool is_ancestor(OpId ancestor, OpId op) const {
    return (reached_[op.index()] >> numbers_[ancestor.index()] & 1) != 0;
  }

 private:
  std::uint8_t& number_of(OpId op) {
    if (numbers_.empty()) numbers_.resize(graph_.op_count());
    return numbers_[op.index()];
  }

  const Graph& graph_;
  std::vector<std::size_t> position_;
  std::vector<std::uint64_t> sources_;  // by op: its bit
  std::vector<std::uint64_t> reached_;  // by op: bits of its ancestors
  std::vector<std::uint8_t> numbers_;   // by op: its place in the batch
};

// Whether y (of the group) is ready whenever u is.
bool is_companion(const Graph& graph, std::span<const OpId> group, const Ancestors& ancestors,
                  OpId y, OpId u) {
  // An op that comes after u cannot be ready with it, and one that comes before u is on a path to
  // it and counted there.
  if (y == u || ancestors.is_ancestor(y, u) || ancestors.is_ancestor(u, y)) return false;
  for (const TensorId tensor : graph.inputs(y)) {
    if (contains(graph.inputs(u), tensor)) continue;
    const bool was_there = std::any_of(group.begin(), group.end(), [&](OpId other) {
      return ancestors.is_ancestor(other, u) &&
             (graph.producer(tensor) == other || contains(graph.inputs(other), tensor));
    });
    if (!was_there) return false;
  }
  const auto after_u = graph.after(u);
  return std::all_of(graph.after(y).begin(), graph.after(y).end(), [&](OpId earlier) {
    return std::find(after_u.begin(), after_u.end(), earlier) != after_u.end() ||
           (std::find(group.begin(), group.end(), earlier) != group.end() &&
            ancestors.is_ancestor(earlier, u));
  });
}

}  // namespace

QueueOrder::QueueOrder(const Problem& problem, Tasks tasks) {
  // Priorities may put any ready op first; and a fused group is ready when all of its members are,
  // which breaks the argument of the header.
  if (tasks.schedule || tasks.fusion) return;
  const Graph& graph = problem.graph();
  const double visits = static_cast<double>(graph.edge_count() + graph.op_count());
  auto passes_left = static_cast<std::int64_t>(kMostVisits / (visits + 1));
  std::vector<std::vector<OpId>> companions(problem.op_count());
  bool any = false;
  Ancestors ancestors(graph);
  std::vector<OpId> batch;
  std::vector<GroupId> groups;
  const auto settle = [&] {
    if (batch.empty() || passes_left-- <= 0) return;
    ancestors.follow(batch);
    for (const GroupId group : groups) {
      const auto members = problem.members(group);
      for (const OpId u : members) {
        for (const OpId y : members) {
          if (!is_companion(graph, members, ancestors, y, u)) continue;
          companions[u.index()].push_back(y);
          any = true;
        }
      }
    }
    batch.clear();
    groups.clear();
  };
  for (std::size_t g = 0; g < problem.group_count() && passes_left > 0; ++g) {
    const auto members = problem.members(GroupId(g));
    if (members.size() < 2 || members.size() > kMostMembers) continue;
    // A group is never split: its members are asked about one another, so they must have bits in
    // the same pass.
    if (batch.size() + members.size() > kBatch) settle();
    batch.insert(batch.end(), members.begin(), members.end());
    groups.emplace_back(g);
  }
  settle();
  if (!any) return;
  companions_.begins.push_back(0);
  for (const auto& row : companions) {
    companions_.items.insert(companions_.items.end(), row.begin(), row.end());
    companions_.begins.push_back(static_cast<std::uint32_t>(companions_.items.size()));
  }
}

}  // namespace berth::bounds
