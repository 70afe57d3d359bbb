#include "place/list/sct.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "place/list/favourite_child.h"
#include "place/method_runs.h"
#include "place/run_placer.h"
#include "place/tiny_problems.h"

namespace berth::place {
namespace {

using namespace fixtures;

constexpr std::int64_t kMillisecond = 1'000'000;  // bytes that travel in one

TEST(FavouriteChildren, FollowTheLongestPath) {
  // The fork favours the long branch, the join is the favourite of its last op.
  const std::vector<TinyOp> ops = {
      {.name = "fork", .output_bytes = kMillisecond},
      {.name = "short", .inputs = {"fork"}, .output_bytes = kMillisecond},
      {.name = "long", .gpu_seconds = 2e-3, .inputs = {"fork"}, .output_bytes = kMillisecond},
      {.name = "join", .inputs = {"short", "long"}}};
  const Problem problem(tiny_graph("branches", ops), tiny_cluster());
  const Favourites favourites = favourite_children(problem);
  EXPECT_EQ(favourites.children, (std::vector<OpId>{OpId(2), OpId(), OpId(3), OpId()}));
  // fork, 1 ms of travel, short, 1 ms of travel, join; the long branch takes 4 ms.
  EXPECT_DOUBLE_EQ(favourites.longest_path_seconds, 5e-3);
}

// All ways to choose favourite children, edge by edge.
void enumerate(const Problem& problem, const std::vector<std::pair<OpId, OpId>>& edges,
               std::size_t at, std::vector<OpId>& children, std::vector<bool>& has_parent,
               double& best) {
  if (at == edges.size()) {
    best = std::min(best, longest_path_seconds(problem, children));
    return;
  }
  enumerate(problem, edges, at + 1, children, has_parent, best);
  const auto [from, to] = edges[at];
  if (children[from.index()].valid() || has_parent[to.index()]) return;
  children[from.index()] = to;
  has_parent[to.index()] = true;
  enumerate(problem, edges, at + 1, children, has_parent, best);
  children[from.index()] = OpId();
  has_parent[to.index()] = false;
}

TEST(FavouriteChildren, AreCloseToTheBestChoice) {
  double sum_of_ratios = 0;
  constexpr int kGraphs = 60;
  for (std::uint64_t seed = 0; seed < kGraphs; ++seed) {
    Random random(seed);
    std::vector<TinyOp> ops;
    std::vector<std::pair<OpId, OpId>> edges;
    for (std::size_t i = 0; i < 8; ++i) {
      TinyOp op{.name = fmt::format("op{}", i),
                .gpu_seconds = 1e-3 * static_cast<double>(random.between(1, 5)),
                .output_bytes = random.between(1, 5) * kMillisecond};
      for (std::size_t j = 0; j < i; ++j) {
        if (!random.chance(0.35) || edges.size() == 12) continue;
        op.inputs.push_back(fmt::format("op{}", j));
        edges.emplace_back(OpId(j), OpId(i));
      }
      ops.push_back(op);
    }
    const Problem problem(tiny_graph("random", ops), tiny_cluster());
    std::vector<OpId> children(8);
    std::vector<bool> has_parent(8, false);
    double best = std::numeric_limits<double>::infinity();
    enumerate(problem, edges, 0, children, has_parent, best);
    const Favourites favourites = favourite_children(problem);
    EXPECT_DOUBLE_EQ(favourites.longest_path_seconds,
                     longest_path_seconds(problem, favourites.children));
    EXPECT_GE(favourites.longest_path_seconds, best * (1 - 1e-12));
    EXPECT_LE(favourites.longest_path_seconds, best * 1.5) << seed;
    sum_of_ratios += favourites.longest_path_seconds / best;
  }
  EXPECT_LT(sum_of_ratios / kGraphs, 1.05);
}

TEST(Sct, SpreadsIndependentOpsEvenly) {
  std::vector<TinyOp> ops;
  for (int i = 0; i < 12; ++i) ops.push_back({.name = fmt::format("op{}", i)});
  const Problem problem(tiny_graph("parallel", ops), tiny_cluster({.gpus = 4}));
  EXPECT_DOUBLE_EQ(run_placer(sct_placer(), problem).outcome.step_seconds, 3e-3);
}

// Both chains are ready on both devices when the fork has ended and its output has arrived; each
// stays on its device, as its next op is the favourite of the one before.
TEST(Sct, KeepsChainsTogether) {
  std::vector<TinyOp> ops = {{.name = "fork", .output_bytes = kMillisecond / 2}};
  for (const char* name : {"a", "b"}) {
    std::string last = "fork";
    for (int i = 0; i < 4; ++i) {
      ops.push_back({.name = fmt::format("{}{}", name, i),
                     .inputs = {last},
                     .output_bytes = kMillisecond / 2});
      last = ops.back().name;
    }
  }
  const Problem problem(tiny_graph("chains", ops), tiny_cluster({.cpu_bytes = 0}));
  const Placed placed = run_placer(sct_placer(), problem);
  EXPECT_EQ(placed.outcome.transfers, 1);
  EXPECT_DOUBLE_EQ(placed.outcome.step_seconds, 5.5e-3);
}

TEST(Sct, FindsWhatFitsWhereTheEstimateIsExact) {
  for (const char* name : {"tight memory", "spills to cpu"}) {
    EXPECT_TRUE(run_placer(sct_placer(), tiny_problem(name)).outcome.feasible) << name;
  }
}

TEST(Sct, BeatsOneDeviceOnLayers) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Problem problem(layered_graph(300, seed), tiny_cluster({.gpus = 4}));
    EXPECT_LT(run_placer(sct_placer(), problem).outcome.step_seconds,
              0.6 * best_single_seconds(problem))
        << seed;
  }
}

}  // namespace
}  // namespace berth::place
