// Ranks that are changed at random: how far, in which order, and that a seed decides it.
#include "place/list/upward_rank.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "place/tiny_problems.h"

namespace berth::place {
namespace {

using namespace fixtures;

const Problem& layered() {
  static const Problem problem(layered_graph(300, 1), tiny_cluster({.gpus = 3}));
  return problem;
}

UpwardRanks jittered_by(double part, std::uint64_t seed) {
  Random random(seed);
  return jittered(layered(), upward_ranks(layered()), part, random);
}

TEST(JitteredRanks, AreTheSameForTheSameSeedAndOthersForAnother) {
  EXPECT_EQ(jittered_by(0.03, 5).seconds, jittered_by(0.03, 5).seconds);
  EXPECT_EQ(jittered_by(0.03, 5).order, jittered_by(0.03, 5).order);
  EXPECT_NE(jittered_by(0.03, 5).seconds, jittered_by(0.03, 6).seconds);
  EXPECT_NE(jittered_by(0.03, 5).order, jittered_by(0.03, 6).order);
}

TEST(JitteredRanks, StayWithinTheirPartOfTheRankAndUseMostOfIt) {
  const UpwardRanks ranks = upward_ranks(layered());
  for (const double part : {0.001, 0.03, 0.2}) {
    const UpwardRanks changed = jittered_by(part, 1);
    double farthest = 0;
    for (std::size_t op = 0; op < ranks.seconds.size(); ++op) {
      const double change = changed.seconds[op] / ranks.seconds[op] - 1;
      EXPECT_LE(std::abs(change), part * (1 + 1e-9)) << op;
      farthest = std::max(farthest, std::abs(change));
    }
    EXPECT_GT(farthest, 0.9 * part);
  }
}

TEST(JitteredRanks, KeepTheOrderTopologicalHoweverLargeTheyAre) {
  const Graph& graph = layered().graph();
  const UpwardRanks changed = jittered_by(0.9, 2);
  ASSERT_EQ(changed.order.size(), graph.op_count());
  std::vector<std::size_t> position(graph.op_count(), graph.op_count());
  for (std::size_t i = 0; i < changed.order.size(); ++i) position[changed.order[i].index()] = i;
  for (const OpId op : changed.order) {
    for (const OpId after : graph.successors(op)) {
      EXPECT_LT(position[op.index()], position[after.index()]);
    }
  }
}

TEST(JitteredRanks, OfNoPartAreTheRanksThemselves) {
  const UpwardRanks ranks = upward_ranks(layered());
  EXPECT_EQ(jittered_by(0, 1).seconds, ranks.seconds);
  EXPECT_EQ(jittered_by(0, 1).order, ranks.order);
}

}  // namespace
}  // namespace berth::place
