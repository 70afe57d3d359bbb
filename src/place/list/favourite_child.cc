#include "place/list/favourite_child.h"

#include <algorithm>

#include "place/list/upward_rank.h"

namespace berth::place {
namespace {

constexpr int kRounds = 4;

class Matcher {
 public:
  explicit Matcher(const Problem& problem)
      : problem_(problem),
        graph_(problem.graph()),
        costs_(problem.op_count()),
        begins_(problem.op_count()),
        rests_(problem.op_count()) {
    const MeanRoute route = mean_route(problem);
    for (std::size_t index = 0; index < problem.op_count(); ++index) {
      const OpId op(index);
      costs_[index] = problem.fastest_seconds(op);
      for (const TensorId tensor : graph_.inputs(op)) {
        const OpId producer = graph_.producer(tensor);
        // Colocated ops share a device in every plan, so there is nothing to save. The favourite is
        // left for an edge where there is.
        if (problem.group(producer) == problem.group(op)) continue;
        add_edge(producer, op, route.transfer_seconds(graph_.bytes(tensor)));
      }
    }
    first_edge_.resize(problem.op_count() + 1, edges_.size());
  }

  double measure(const std::vector<OpId>& children) {
    const auto topological = graph_.topological_order();
    std::fill(begins_.begin(), begins_.end(), 0.0);
    std::fill(rests_.begin(), rests_.end(), 0.0);
    double longest = 0;
    for (const OpId op : topological) {
      double& begin = begins_[op.index()];
      // All dependencies count, also order-only ones and those within a group; communication is
      // charged for the edges below only.
      for (const OpId before : graph_.predecessors(op)) {
        begin = std::max(begin, begins_[before.index()] + costs_[before.index()]);
      }
      for (std::size_t at = first_edge_[op.index()]; at < first_edge_[op.index() + 1]; ++at) {
        const Edge& edge = edges_[at];
        const std::size_t from = edge.from.index();
        begin = std::max(begin, begins_[from] + costs_[from] + charge(edge, children));
      }
      longest = std::max(longest, begin + costs_[op.index()]);
    }
    for (std::size_t position = topological.size(); position-- > 0;) {
      const OpId op = topological[position];
      const double rest = rests_[op.index()] + costs_[op.index()];
      for (const OpId before : graph_.predecessors(op)) raise(before, rest);
      for (std::size_t at = first_edge_[op.index()]; at < first_edge_[op.index() + 1]; ++at) {
        raise(edges_[at].from, rest + charge(edges_[at], children));
      }
    }
    return longest;
  }

  // Greedy by the path lengths of the last measure().
  std::vector<OpId> match() {
    for (Edge& edge : edges_) {
      edge.path_seconds = begins_[edge.from.index()] + costs_[edge.from.index()] + edge.seconds +
                          costs_[edge.to.index()] + rests_[edge.to.index()];
    }
    std::vector<std::uint32_t> order(edges_.size());
    for (std::size_t at = 0; at < order.size(); ++at) order[at] = static_cast<std::uint32_t>(at);
    // The longest path through an edge first: an edge that is not on it cannot shorten the whole.
    // Of those, the dearest communication is saved. Stable, so that ties follow the graph.
    std::stable_sort(order.begin(), order.end(), [this](std::uint32_t left, std::uint32_t right) {
      if (edges_[left].path_seconds != edges_[right].path_seconds) {
        return edges_[left].path_seconds > edges_[right].path_seconds;
      }
      return edges_[left].seconds > edges_[right].seconds;
    });
    std::vector<OpId> children(problem_.op_count());
    std::vector<std::uint8_t> has_parent(problem_.op_count(), std::uint8_t{0});
    for (const std::uint32_t at : order) {
      const Edge& edge = edges_[at];
      if (children[edge.from.index()].valid() || has_parent[edge.to.index()] != 0) continue;
      children[edge.from.index()] = edge.to;
      has_parent[edge.to.index()] = 1;
    }
    return children;
  }

 private:
  struct Edge {
    OpId from, to;
    double seconds = 0;       // of communication
    double path_seconds = 0;  // longest path through it
  };

  static double charge(const Edge& edge, const std::vector<OpId>& children) {
    return children[edge.from.index()] == edge.to ? 0 : edge.seconds;
  }

  void raise(OpId op, double rest) { rests_[op.index()] = std::max(rests_[op.index()], rest); }

  // Edges come grouped by reader, so the rows of readers are known without sorting; several tensors
  // between two ops are one edge with the dearest of them.
  void add_edge(OpId from, OpId to, double seconds) {
    first_edge_.resize(to.index() + 1, edges_.size());
    for (std::size_t at = first_edge_[to.index()]; at < edges_.size(); ++at) {
      if (edges_[at].from != from) continue;
      edges_[at].seconds = std::max(edges_[at].seconds, seconds);
      return;
    }
    edges_.push_back({from, to, seconds});
  }

  const Problem& problem_;
  const Graph& graph_;
  std::vector<double> costs_;
  std::vector<Edge> edges_;
  std::vector<std::size_t> first_edge_;  // by reader
  std::vector<double> begins_;           // longest path up to the op's start
  std::vector<double> rests_;            // longest path from the op's end
};

}  // namespace

double longest_path_seconds(const Problem& problem, const std::vector<OpId>& children) {
  Matcher matcher(problem);
  return matcher.measure(children);
}

Favourites favourite_children(const Problem& problem) {
  Matcher matcher(problem);
  Favourites best;
  best.children.resize(problem.op_count());
  best.longest_path_seconds = matcher.measure(best.children);
  for (int round = 0; round < kRounds; ++round) {
    std::vector<OpId> children = matcher.match();
    const double longest = matcher.measure(children);
    // A matching changes which path is longest, so the next may be worse than the last; the best is
    // kept. The first is taken in any case: some favourites are better than none.
    if (round > 0 && longest >= best.longest_path_seconds) continue;
    best = {std::move(children), longest};
  }
  return best;
}

}  // namespace berth::place
