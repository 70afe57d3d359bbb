#include "plan/plan.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/thrown.h"
#include "plan/small_problem.h"

namespace berth {
namespace {

using Sentences = std::vector<std::string>;

Plan all_on(std::size_t ops, std::size_t device) {
  return {.placement = std::vector<DeviceId>(ops, DeviceId(device))};
}

TEST(Plan, EqualPlansHashAlike) {
  const Plan plan{.placement = {DeviceId(0), DeviceId(1), DeviceId(1), DeviceId(0), DeviceId(2)},
                  .priority = {0, 1, 2, 3, 4},
                  .fused = {{OpId(0), OpId(1)}}};
  Plan other = plan;
  other.priority[0] = -0.0;
  ASSERT_EQ(plan, other);
  EXPECT_EQ(hash_of(plan), hash_of(other));
}

TEST(Plan, DifferentPlansHashApart) {
  const Plan plan = all_on(9, 0);
  std::vector<std::uint64_t> hashes = {hash_of(plan)};
  for (std::size_t i = 0; i < 9; ++i) {
    Plan other = plan;
    other.placement[i] = DeviceId(1);
    hashes.push_back(hash_of(other));
    other = plan;
    other.priority.assign(9, 0);
    other.priority[i] = 1;
    hashes.push_back(hash_of(other));
  }
  Plan prioritized = plan;
  prioritized.priority.assign(9, 0);
  hashes.push_back(hash_of(prioritized));
  Plan fused = plan;
  fused.fused = {{OpId(0), OpId(1)}, {OpId(2), OpId(3)}};
  hashes.push_back(hash_of(fused));
  fused.fused = {{OpId(0), OpId(1), OpId(2), OpId(3)}};
  hashes.push_back(hash_of(fused));
  std::sort(hashes.begin(), hashes.end());
  EXPECT_EQ(std::adjacent_find(hashes.begin(), hashes.end()), hashes.end());
}

TEST(PlanViolations, AValidPlanHasNone) {
  const Problem problem(graph_of(op("a", "T", "") + "," + op("b", "T", R"("a")")), small_cluster());
  EXPECT_TRUE(violations(problem, all_on(2, 1)).empty());
  Plan apart = all_on(2, 1);
  apart.placement[1] = DeviceId(2);
  apart.priority = {-3.5, 0};
  EXPECT_TRUE(violations(problem, apart).empty());
  EXPECT_NO_THROW(require_valid(problem, apart, "p"));
}

TEST(PlanViolations, PlansThatDoNotFitTheProblem) {
  const Problem problem(graph_of(op("a", "T", "") + "," + op("b", "T", R"("a")")), small_cluster());
  EXPECT_EQ(violations(problem, all_on(3, 1)),
            Sentences{"the plan places 3 ops, but the graph has 2"});
  EXPECT_EQ(violations(problem, all_on(2, 9)),
            Sentences{"op \"a\" is placed on no device of the cluster"});
  EXPECT_EQ(violations(problem, {.placement = std::vector<DeviceId>(2)}),
            Sentences{"op \"a\" is placed on no device of the cluster"});
  Plan plan = all_on(2, 1);
  plan.priority = {1};
  EXPECT_EQ(violations(problem, plan),
            Sentences{"the plan gives 1 priorities, but the graph has 2 ops"});
  plan.priority = {1, std::numeric_limits<double>::infinity()};
  EXPECT_EQ(violations(problem, plan),
            Sentences{"the priority of op \"b\" is inf; it must be finite"});
}

TEST(PlanViolations, DevicesThatAreNotAllowed) {
  const Problem problem(
      graph_of(op("a", "T", "", R"(, "devices": ["gpu"])") + "," + op("b", "T", R"("a")")),
      small_cluster());
  EXPECT_EQ(violations(problem, all_on(2, 0)),
            Sentences{"op \"a\" is on \"cpu:0\", where it may not run; it may run on \"gpu:0\", "
                      "\"gpu:1\" and \"gpu:2\""});
  EXPECT_EQ(thrown([&] { require_valid(problem, all_on(2, 0), "p.json"); }),
            "p.json: op \"a\" is on \"cpu:0\", where it may not run; it may run on \"gpu:0\", "
            "\"gpu:1\" and \"gpu:2\"");
}

TEST(PlanViolations, ColocatedOpsApart) {
  const std::string label = R"(, "colocate": "c")";
  const Problem problem(graph_of(op("a", "T", "", label) + "," + op("b", "T", R"("a")") + "," +
                                 op("c", "T", R"("b")", label)),
                        small_cluster());
  Plan plan = all_on(3, 1);
  EXPECT_TRUE(violations(problem, plan).empty());
  plan.placement[2] = DeviceId(2);
  EXPECT_EQ(violations(problem, plan),
            Sentences{"op \"c\" is on \"gpu:1\", but it is colocated with \"a\", which is on "
                      "\"gpu:0\"; they must share one device"});
}

TEST(PlanViolations, TensorsWithoutARoute) {
  const Problem problem(graph_of(op("a", "T", "") + "," + op("b", "T", R"("a")") + "," +
                                 op("c", "T", "", R"(, "after": ["a"])")),
                        small_cluster());
  Plan plan = all_on(3, 1);
  plan.placement[2] = DeviceId(3);  // `after` needs no route
  EXPECT_TRUE(violations(problem, plan).empty());
  plan.placement[1] = DeviceId(3);
  EXPECT_EQ(violations(problem, plan),
            Sentences{"op \"b\" on \"gpu:2\" reads \"a:0\" from \"gpu:0\", but no route leads from "
                      "\"gpu:0\" to \"gpu:2\""});
}

TEST(PlanViolations, AreLimitedInNumber) {
  std::string ops = op("a0", "T", "", R"(, "devices": ["gpu"])");
  for (int i = 1; i < 30; ++i) {
    ops += "," + op("a" + std::to_string(i), "T", "", R"(, "devices": ["gpu"])");
  }
  const Problem problem(graph_of(ops), small_cluster());
  EXPECT_EQ(violations(problem, all_on(30, 0)).size(), 20u);
  EXPECT_EQ(violations(problem, all_on(30, 0), 1).size(), 1u);
  EXPECT_EQ(violations(problem, all_on(30, 0), 0).size(), 0u);
}

}  // namespace
}  // namespace berth
