#include "place/partition/bisection.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "base/random.h"
#include "place/partition/two_sides.h"

namespace berth::place {
namespace {

// A graph from a list of edges, all work 1.
PartitionInput input_of(std::size_t vertices, std::size_t parts,
                        const std::vector<std::array<std::int32_t, 3>>& edges) {
  std::vector<std::vector<std::pair<std::int32_t, std::int32_t>>> rows(vertices);
  for (const auto& [from, to, bytes] : edges) {
    rows[from].emplace_back(to, bytes);
    rows[to].emplace_back(from, bytes);
  }
  PartitionInput input;
  input.begins.push_back(0);
  for (std::size_t vertex = 0; vertex < vertices; ++vertex) {
    input.groups.emplace_back(vertex);
    input.work.push_back(1);
    input.only_part.push_back(PartitionInput::kAnyPart);
    for (const auto& [neighbour, bytes] : rows[vertex]) {
      input.neighbours.push_back(neighbour);
      input.bytes.push_back(bytes);
    }
    input.begins.push_back(static_cast<std::int32_t>(input.neighbours.size()));
  }
  for (std::size_t part = 0; part < parts; ++part) {
    input.devices.emplace_back(part);
    input.shares.push_back(1.0 / static_cast<double>(parts));
  }
  return input;
}

std::vector<int> sizes_of(const Parts& parts, std::size_t count) {
  std::vector<int> sizes(count, 0);
  for (const std::int32_t part : parts) ++sizes[part];
  return sizes;
}

TEST(Bisection, SeparatesCliquesJoinedByAThread) {
  std::vector<std::array<std::int32_t, 3>> edges;
  for (std::int32_t clique = 0; clique < 4; ++clique) {
    for (std::int32_t i = 0; i < 5; ++i) {
      for (std::int32_t j = 0; j < i; ++j) edges.push_back({5 * clique + i, 5 * clique + j, 10});
    }
    if (clique > 0) edges.push_back({5 * clique, 5 * clique - 1, 1});
  }
  const PartitionInput input = input_of(20, 4, edges);
  const Parts parts = recursive_bisection(input, 0.1);
  EXPECT_EQ(cut_bytes(input, parts), 3);
  EXPECT_EQ(sizes_of(parts, 4), (std::vector<int>{5, 5, 5, 5}));
}

TEST(Bisection, FollowsShares) {
  std::vector<std::array<std::int32_t, 3>> edges;
  for (std::int32_t i = 1; i < 100; ++i) edges.push_back({i - 1, i, 1});
  PartitionInput input = input_of(100, 3, edges);
  input.shares = {0.5, 0.2, 0.3};
  const Parts parts = recursive_bisection(input, 0.01);
  EXPECT_EQ(cut_bytes(input, parts), 2);
  EXPECT_EQ(sizes_of(parts, 3), (std::vector<int>{50, 20, 30}));
}

TEST(Bisection, KeepsBoundVerticesWhereTheyBelong) {
  std::vector<std::array<std::int32_t, 3>> edges;
  for (std::int32_t i = 1; i < 30; ++i) edges.push_back({i - 1, i, 1});
  PartitionInput input = input_of(30, 4, edges);
  input.only_part[0] = 3;
  input.only_part[15] = 0;
  input.only_part[29] = 3;
  const Parts parts = recursive_bisection(input, 0.3);
  EXPECT_EQ(parts[0], 3);
  EXPECT_EQ(parts[15], 0);
  EXPECT_EQ(parts[29], 3);
}

TEST(Bisection, IsNearTheSmallestCut) {
  constexpr std::size_t kVertices = 12;
  std::int64_t found = 0, smallest = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Random random(seed);
    std::vector<std::array<std::int32_t, 3>> edges;
    for (std::int32_t i = 1; i < std::int32_t{kVertices}; ++i) {
      for (std::int32_t j = std::max(0, i - 5); j < i; ++j) {
        if (random.chance(0.5)) {
          edges.push_back({j, i, static_cast<std::int32_t>(random.between(1, 20))});
        }
      }
    }
    const PartitionInput input = input_of(kVertices, 2, edges);
    std::int64_t optimum = std::numeric_limits<std::int64_t>::max();
    for (std::uint32_t mask = 0; mask < 1u << kVertices; ++mask) {
      if (std::abs(std::popcount(mask) - 6) > 1) continue;
      Parts parts;
      for (std::size_t v = 0; v < kVertices; ++v) parts.push_back((mask >> v) & 1);
      optimum = std::min(optimum, cut_bytes(input, parts));
    }
    const Parts parts = recursive_bisection(input, 0.2);  // 4.8 to 7.2: 5, 6 or 7
    EXPECT_LE(std::abs(sizes_of(parts, 2)[0] - 6), 1);
    EXPECT_GE(cut_bytes(input, parts), optimum);
    found += cut_bytes(input, parts);
    smallest += optimum;
  }
  EXPECT_LE(double(found), 1.03 * double(smallest));
}

TEST(TwoSides, KeepsItsBooks) {
  Random random(3);
  SideGraph graph;
  std::vector<std::array<std::int32_t, 3>> edges;
  for (std::int32_t i = 1; i < 60; ++i) {
    edges.push_back({static_cast<std::int32_t>(random.below(i)), i,
                     static_cast<std::int32_t>(random.between(1, 9))});
  }
  const PartitionInput input = input_of(60, 2, edges);
  graph.work = input.work;
  graph.bound.assign(60, Side::none);
  graph.begins = input.begins;
  graph.neighbours = input.neighbours;
  graph.bytes = input.bytes;
  TwoSides sides(graph, 0.5, 0.1);
  for (const std::size_t seed : {0u, 17u, 59u}) {
    sides.grow_from(seed);
    Quality last = sides.quality();
    for (int pass = 0; pass < 3; ++pass) {
      const bool helped = sides.improve();
      EXPECT_EQ(helped, sides.quality() < last);
      last = sides.quality();
      Parts parts;
      for (const Side side : sides.sides()) parts.push_back(side == Side::right);
      EXPECT_EQ(sides.quality().cut, cut_bytes(input, parts));
    }
  }
}

}  // namespace
}  // namespace berth::place
