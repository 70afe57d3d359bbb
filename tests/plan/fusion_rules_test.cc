#include <gtest/gtest.h>

#include "base/random.h"
#include "plan/plan.h"
#include "plan/small_problem.h"
#include "support/random_problem.h"

namespace berth {
namespace {

using Sentences = std::vector<std::string>;
using Groups = std::vector<std::vector<std::size_t>>;

Plan fused_plan(const Problem& problem, const Groups& groups) {
  Plan plan{.placement = std::vector<DeviceId>(problem.op_count(), DeviceId(1))};
  for (const auto& group : groups) {
    plan.fused.emplace_back();
    for (const std::size_t member : group) plan.fused.back().emplace_back(member);
  }
  return plan;
}

Sentences faults(const Problem& problem, const Groups& groups) {
  return violations(problem, fused_plan(problem, groups));
}

// x -> mm -> bias -> relu, with mm -> side -> join <- relu.
Problem diamond() {
  return Problem(
      graph_of(op("x", "Input", "") + "," + op("mm", "MatMul", R"("x")") + "," +
               op("bias", "Add", R"("mm")") + "," + op("relu", "Relu", R"("bias")") + "," +
               op("side", "Tanh", R"("mm")") + "," + op("join", "Add", R"("relu", "side")")),
      small_cluster());
}

TEST(FusionRules, GroupsThatMayBeFused) {
  const Problem problem = diamond();
  EXPECT_TRUE(faults(problem, {}).empty());
  EXPECT_TRUE(faults(problem, {{1, 2, 3}}).empty());
  EXPECT_TRUE(faults(problem, {{1, 2, 3, 4, 5}}).empty());
  EXPECT_TRUE(faults(problem, {{2, 3}, {4, 5}}).empty());
  EXPECT_TRUE(faults(problem, {{3}}).empty());
}

TEST(FusionRules, NotConvex) {
  const Problem problem = diamond();
  EXPECT_EQ(faults(problem, {{1, 2, 3, 5}}),
            Sentences{"the fused group of \"mm\", \"bias\", \"relu\" and \"join\" is not convex: a "
                      "path leaves it to \"side\", which is not in it, and comes back"});
}

TEST(FusionRules, NotConvexThroughAfter) {
  const Problem problem(
      graph_of(op("a", "Add", "") + "," + op("o", "T", "", R"(, "after": ["a"])") + "," +
               op("b", "Relu", R"("a")", R"(, "after": ["o"])")),
      small_cluster());
  EXPECT_EQ(
      faults(problem, {{0, 2}}),
      Sentences{"the fused group of \"a\" and \"b\" is not convex: a path leaves it to \"o\", "
                "which is not in it, and comes back"});
}

TEST(FusionRules, NotConvexThroughAnotherGroup) {
  // The way back from a to b leads through the group of o and p, which is fine by itself.
  const Problem problem(graph_of(op("a", "Add", "") + "," + op("o", "Relu", R"("a")") + "," +
                                 op("p", "Relu", R"("o")") + "," + op("b", "Add", R"("a", "p")")),
                        small_cluster());
  EXPECT_EQ(
      faults(problem, {{0, 3}, {1, 2}}),
      Sentences{"the fused group of \"a\" and \"b\" is not convex: a path leaves it to \"o\", "
                "which is not in it, and comes back"});
}

TEST(FusionRules, GroupsThatWaitForEachOther) {
  // a -> b and c -> d, joined by a -> d and c -> b: each group is convex, both at once are not.
  const Problem problem(
      graph_of(op("a", "Relu", "") + "," + op("c", "Relu", "") + "," +
               op("b", "Add", R"("a", "c")") + "," + op("d", "Add", R"("c", "a")")),
      small_cluster());
  EXPECT_TRUE(faults(problem, {{0, 2}}).empty());
  EXPECT_TRUE(faults(problem, {{1, 3}}).empty());
  EXPECT_EQ(
      faults(problem, {{0, 2}, {1, 3}}),
      Sentences{"the fused groups [\"c\" and \"d\"] and [\"a\" and \"b\"] wait for each other "
                "in a cycle; one of them must be split"});
}

TEST(FusionRules, NotConnected) {
  // o and p read the same tensor, which does not connect them; neither does `after`.
  const Problem problem(graph_of(op("a", "Relu", "") + "," + op("o", "Relu", R"("a")") + "," +
                                 op("p", "Relu", R"("a")", R"(, "after": ["o"])")),
                        small_cluster());
  EXPECT_EQ(faults(problem, {{1, 2}}),
            Sentences{"the fused group of \"o\" and \"p\" is not connected: no tensors of its own "
                      "lead from \"o\" to \"p\""});
  EXPECT_TRUE(faults(problem, {{0, 1, 2}}).empty());
}

TEST(FusionRules, TwoHeavyOps) {
  const Problem problem(graph_of(op("m", "MatMul", "") + "," + op("r", "Relu", R"("m")") + "," +
                                 op("c", "Conv", R"("r")")),
                        small_cluster());
  EXPECT_EQ(
      faults(problem, {{0, 1, 2}}),
      Sentences{
          "the fused group of \"m\", \"r\" and \"c\" holds two heavy ops, \"m\" (matrix product) "
          "and \"c\" (convolution); it may hold one convolution, matrix product or "
          "recurrent cell"});
}

TEST(FusionRules, SpreadOverDevices) {
  const Problem problem = diamond();
  Plan plan = fused_plan(problem, {{1, 2}});
  plan.placement[2] = DeviceId(2);
  EXPECT_EQ(violations(problem, plan),
            Sentences{"op \"bias\" is on \"gpu:1\" but fused with \"mm\", which is on \"gpu:0\"; a "
                      "fused group runs on one device"});
}

TEST(FusionRules, GroupsThatAreNoGroups) {
  const Problem problem = diamond();
  EXPECT_EQ(faults(problem, {{}}), Sentences{"fused group 0 is empty; it needs at least one op"});
  EXPECT_EQ(faults(problem, {{1, 99}}),
            Sentences{"fused group 0 holds op number 99, but the graph has 6 ops"});
  EXPECT_EQ(faults(problem, {{1, 2}, {2, 3}}),
            Sentences{"op \"bias\" is fused twice; it can be in one group, once"});
  EXPECT_EQ(faults(problem, {{1, 1}}),
            Sentences{"op \"mm\" is fused twice; it can be in one group, once"});
  EXPECT_EQ(faults(problem, {{2, 1}}), Sentences{"the fused group of \"bias\" and \"mm\" does not "
                                                 "list its ops by ascending index"});
}

TEST(FusionRules, EveryFaultyGroupIsNamed) {
  std::string ops = op("s", "Relu", "");
  Groups groups;
  for (std::size_t i = 0; i < 5; ++i) {
    const std::string n = std::to_string(i);
    const std::string a = "\"a" + n + "\"";
    ops += "," + op("a" + n, "Relu", R"("s")") + "," + op("o" + n, "Relu", a);
    std::string both = a;
    both.append(", \"o").append(n).append("\"");
    ops += "," + op("b" + n, "Add", both);
    groups.push_back({3 * i + 1, 3 * i + 3});
  }
  const Problem problem(graph_of(ops), small_cluster());
  EXPECT_EQ(faults(problem, groups).size(), 5u);
  EXPECT_EQ(violations(problem, fused_plan(problem, groups), 2).size(), 2u);
}

// Reachability by brute force: reach[i][j] when a path leads from i to j in the contracted graph.
bool contracted_graph_has_cycle(const Graph& graph, const Plan& plan) {
  const std::size_t ops = graph.op_count();
  std::vector<std::size_t> unit(ops);
  for (std::size_t i = 0; i < ops; ++i) unit[i] = i;
  for (const auto& group : plan.fused) {
    for (const OpId member : group) unit[member.index()] = group.front().index();
  }
  std::vector<std::vector<char>> reach(ops, std::vector<char>(ops, 0));
  for (std::size_t i = 0; i < ops; ++i) {
    for (const OpId later : graph.successors(OpId(i))) {
      if (unit[i] != unit[later.index()]) reach[unit[i]][unit[later.index()]] = 1;
    }
  }
  for (std::size_t k = 0; k < ops; ++k) {
    for (std::size_t i = 0; i < ops; ++i) {
      for (std::size_t j = 0; j < ops && reach[i][k]; ++j) reach[i][j] |= reach[k][j];
    }
  }
  for (std::size_t i = 0; i < ops; ++i) {
    if (reach[i][i]) return true;
  }
  return false;
}

// Random groups, so that most are wrong in some way: a cycle is found exactly when there is one.
TEST(FusionRules, AgreeWithReachabilityOnRandomGraphs) {
  int cycles = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Problem problem(random_graph(random, {.max_ops = 12}, true), small_cluster());
    Plan plan = fused_plan(problem, {});
    std::vector<std::vector<OpId>> groups(3);
    for (std::size_t i = 0; i < problem.op_count(); ++i) {
      const std::size_t group = random.below(6);
      if (group < 3) groups[group].emplace_back(i);
    }
    for (const auto& group : groups) {
      if (!group.empty()) plan.fused.push_back(group);
    }
    std::sort(plan.fused.begin(), plan.fused.end());
    bool told = false;
    for (const std::string& sentence : violations(problem, plan, 100)) {
      told = told || sentence.find("not convex") != std::string::npos ||
             sentence.find("in a cycle") != std::string::npos;
    }
    EXPECT_EQ(told, contracted_graph_has_cycle(problem.graph(), plan));
    cycles += told;
  }
  EXPECT_GT(cycles, 50);
  EXPECT_LT(cycles, 390);
}

}  // namespace
}  // namespace berth
