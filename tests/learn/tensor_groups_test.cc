#include "learn/tensor_groups.h"

#include <gtest/gtest.h>

#include <map>

#include "support/random_problem.h"

namespace berth::learn {
namespace {

using Pairs = std::map<std::pair<std::uint32_t, std::uint32_t>, double>;

// Bytes by maker and reader, as edges have them.
Pairs by_pair(const std::vector<TensorGroup>& tensor_groups) {
  Pairs pairs;
  for (const TensorGroup& tensor_group : tensor_groups) {
    for (const std::uint32_t reader : tensor_group.readers)
      pairs[{tensor_group.from, reader}] += tensor_group.bytes;
  }
  return pairs;
}

TEST(TensorGroups, AreTheEdgesWithTensorsOfSeveralReadersTold) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Random random(seed);
    RandomProblemOptions options;
    options.colocation = seed % 3 == 0;
    Graph graph = random_graph(random, options, true);
    const Problem problem(std::move(graph), random_cluster(random, options, true));
    const place::Units units = place::make_units(problem, seed % 2 == 0 ? "5" : "ops");
    const std::vector<TensorGroup> tensor_groups = tensor_groups_of(problem.graph(), units);
    Pairs edges;
    for (const place::UnitEdge& edge : units.edges) edges[{edge.from, edge.to}] += edge.bytes;
    EXPECT_EQ(by_pair(tensor_groups), edges) << "seed " << seed;
    for (std::size_t i = 0; i < tensor_groups.size(); ++i) {
      ASSERT_FALSE(tensor_groups[i].readers.empty());
      if (i == 0) continue;
      EXPECT_LT(std::tie(tensor_groups[i - 1].from, tensor_groups[i - 1].readers),
                std::tie(tensor_groups[i].from, tensor_groups[i].readers));
    }
  }
}

TEST(TensorGroups, OfGroupsJoinWhatTheSameGroupsRead) {
  const std::vector<TensorGroup> of_units = {
      {0, {1, 2}, 5}, {0, {3}, 7}, {1, {3}, 1}, {2, {3}, 2}, {3, {0}, 4}};
  const std::int64_t groups[] = {2, 0, 0, 1};
  EXPECT_EQ(tensor_groups_of_groups(of_units, groups),
            (std::vector<TensorGroup>{{0, {1}, 3}, {1, {2}, 4}, {2, {0}, 5}, {2, {1}, 7}}));
  const std::int64_t pairs[] = {0, 1, 1, 0};
  EXPECT_EQ(tensor_groups_of_groups(of_units, pairs),
            (std::vector<TensorGroup>{{0, {1}, 5}, {1, {0}, 3}}));
}

}  // namespace
}  // namespace berth::learn
