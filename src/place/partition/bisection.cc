#include "place/partition/bisection.h"

#include <algorithm>
#include <numeric>

#include "base/random.h"
#include "place/partition/two_sides.h"

namespace berth::place {
namespace {

constexpr int kMostPasses = 8;
constexpr int kRandomSeeds = 2;

// The vertices that a side is still to be chosen for, with their edges among themselves.
SideGraph induced(const PartitionInput& input, const std::vector<std::int32_t>& vertices,
                  std::vector<std::int32_t>& local_of) {
  SideGraph graph;
  graph.begins.push_back(0);
  for (std::size_t local = 0; local < vertices.size(); ++local) {
    local_of[vertices[local]] = static_cast<std::int32_t>(local);
  }
  for (const std::int32_t vertex : vertices) {
    graph.work.push_back(input.work[vertex]);
    for (std::int32_t at = input.begins[vertex]; at < input.begins[vertex + 1]; ++at) {
      const std::int32_t neighbour = local_of[input.neighbours[at]];
      if (neighbour < 0) continue;
      graph.neighbours.push_back(neighbour);
      graph.bytes.push_back(input.bytes[at]);
    }
    graph.begins.push_back(static_cast<std::int32_t>(graph.neighbours.size()));
  }
  // Back to -1 for the next call: one array serves the whole recursion.
  for (const std::int32_t vertex : vertices) local_of[vertex] = -1;
  return graph;
}

class RecursiveBisection {
 public:
  RecursiveBisection(const PartitionInput& input, double imbalance)
      : input_(input),
        imbalance_(imbalance),
        random_(input.seed),
        parts_(input.vertex_count(), 0),
        local_of_(input.vertex_count(), -1) {}

  Parts run() && {
    std::vector<std::int32_t> all(input_.vertex_count());
    std::iota(all.begin(), all.end(), 0);
    divide(all, 0, static_cast<std::int32_t>(input_.part_count()));
    return std::move(parts_);
  }

 private:
  // Gives the vertices to parts begin .. end - 1.
  void divide(const std::vector<std::int32_t>& vertices, std::int32_t begin, std::int32_t end) {
    if (end - begin == 1) {
      for (const std::int32_t vertex : vertices) parts_[vertex] = begin;
      return;
    }
    if (vertices.empty()) return;
    const std::int32_t middle = begin + (end - begin) / 2;
    const std::vector<Side> sides = bisect(vertices, begin, middle, end);
    std::vector<std::int32_t> left, right;
    for (std::size_t local = 0; local < vertices.size(); ++local) {
      (sides[local] == Side::left ? left : right).push_back(vertices[local]);
    }
    divide(left, begin, middle);
    divide(right, middle, end);
  }

  double share(std::int32_t begin, std::int32_t end) const {
    return std::accumulate(input_.shares.begin() + begin, input_.shares.begin() + end, 0.0);
  }

  std::vector<Side> bisect(const std::vector<std::int32_t>& vertices, std::int32_t begin,
                           std::int32_t middle, std::int32_t end) {
    SideGraph graph = induced(input_, vertices, local_of_);
    for (const std::int32_t vertex : vertices) {
      const std::int32_t only = input_.only_part[vertex];
      const bool here = only >= begin && only < end;
      // A free vertex has kAnyPart, which is below every part.
      graph.bound.push_back(!here ? Side::none : only < middle ? Side::left : Side::right);
    }
    const double left_share = share(begin, middle) / share(begin, end);
    TwoSides sides(graph, left_share, imbalance_);
    std::vector<Side> best;
    Quality best_quality;
    const auto keep_if_better = [&] {
      for (int pass = 0; pass < kMostPasses && sides.improve(); ++pass) continue;
      if (!best.empty() && !(sides.quality() < best_quality)) return;
      best = sides.sides();
      best_quality = sides.quality();
    };
    sides.take_prefix();
    keep_if_better();
    const std::size_t last = vertices.size() - 1;
    std::vector<std::size_t> seeds = {0, last};
    for (int seed = 0; seed < kRandomSeeds; ++seed) seeds.push_back(random_.below(last + 1));
    for (const std::size_t seed : seeds) {
      sides.grow_from(seed);
      keep_if_better();
    }
    return best;
  }

  const PartitionInput& input_;
  double imbalance_;
  Random random_;
  Parts parts_;
  std::vector<std::int32_t> local_of_;  // -1 outside the subgraph at hand
};

}  // namespace

Parts recursive_bisection(const PartitionInput& input, double imbalance) {
  return RecursiveBisection(input, imbalance).run();
}

}  // namespace berth::place
