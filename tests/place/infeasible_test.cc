// That nothing can fit is said only with a proof that names what is missing; otherwise that nothing
// was found.
#include <gtest/gtest.h>

#include "place/auto_promises.h"
#include "place/tiny_problems.h"

namespace berth::place {
namespace {

using fixtures::tiny_cluster;
using fixtures::tiny_graph;

constexpr std::int64_t kOutput = 1000;  // of every op of tiny_graph

Problem two_gpus(const std::vector<fixtures::TinyOp>& ops, std::int64_t gpu_bytes) {
  return Problem(tiny_graph("two", ops),
                 tiny_cluster({.gpus = 2, .gpu_bytes = gpu_bytes, .cpu_bytes = 0}));
}

// The best plan misses at least what is proved to be missing, and says that it does not fit.
void expect_proved(const Problem& problem, std::int64_t missing_bytes, const std::string& part) {
  const bounds::Infeasibility proof = bounds::prove_infeasible(problem);
  EXPECT_EQ(proof.missing_bytes, missing_bytes);
  EXPECT_NE(proof.explanation.find(part), std::string::npos) << proof.explanation;
  const Placed placed = fixtures::run_auto(problem, 2000);
  EXPECT_FALSE(placed.outcome.feasible);
  EXPECT_GE(placed.outcome.over_bytes, missing_bytes);
  EXPECT_NE(placed.remark.find("fit"), std::string::npos) << placed.remark;
}

TEST(Infeasible, AnOpThatIsTooBig) {
  const Problem problem = two_gpus({{.name = "a"}, {.name = "big", .param_bytes = 60'000}}, 50'000);
  expect_proved(problem, 60'000 + kOutput - 50'000, "op \"big\" needs");
  EXPECT_EQ(bounds::prove_infeasible(problem).blocking_op, OpId(1));
}

TEST(Infeasible, AGroupThatIsTooBig) {
  const Problem problem = two_gpus({{.name = "a", .param_bytes = 30'000, .colocate = "pair"},
                                    {.name = "b"},
                                    {.name = "c", .param_bytes = 30'000, .colocate = "pair"}},
                                   50'000);
  expect_proved(problem, 60'000 + kOutput - 50'000, "the group \"pair\"");
}

TEST(Infeasible, MoreParametersThanMemory) {
  std::vector<fixtures::TinyOp> ops;
  for (int i = 0; i < 11; ++i) {
    ops.push_back({.name = "op" + std::to_string(i), .param_bytes = 10'000});
  }
  expect_proved(two_gpus(ops, 50'000), 10'000, "all devices together have");
}

// 5 + 4 and 3 + 3 + 3 fill two devices to the last byte but for what is alive, and a search that
// may try one plan does not find it.
TEST(Infeasible, IsNotClaimedOfWhatIsOnlyTight) {
  const auto op = [](const char* name, std::int64_t params) {
    return fixtures::TinyOp{.name = name, .output_bytes = 0, .param_bytes = params};
  };
  const Problem problem =
      two_gpus({op("a", 5000), op("b", 3000), op("c", 3000), op("d", 4000), op("e", 3000)}, 9000);
  EXPECT_EQ(bounds::prove_infeasible(problem).missing_bytes, 0);
  const Placed first = fixtures::run_auto(problem, 1);
  EXPECT_FALSE(first.outcome.feasible);
  EXPECT_NE(first.remark.find("found no plan that fits"), std::string::npos) << first.remark;
  EXPECT_TRUE(fixtures::run_auto(problem, 2000).outcome.feasible);
}

TEST(Infeasible, IsNotClaimedOfTightProblems) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const PlantedProblem tight = tight_problem(seed, {.most_devices = 4, .most_groups = 120});
    EXPECT_EQ(bounds::prove_infeasible(tight.problem).missing_bytes, 0);
    const Placed first = fixtures::run_auto(tight.problem, 1);
    EXPECT_FALSE(first.outcome.feasible);
    EXPECT_NE(first.remark.find("found no plan that fits"), std::string::npos) << first.remark;
  }
}

}  // namespace
}  // namespace berth::place
