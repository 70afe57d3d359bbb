// That policies learn, in short; tests/learn_long has more of it.
#include <gtest/gtest.h>

#include <cmath>

#include "learn/final_policy.h"
#include "learn/small_agents.h"
#include "support/small_problem.h"

namespace berth::learn {
namespace {

constexpr double kNear = 1.05;  // of the optimum

class Learns : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    ASSERT_GT(optimum_, 0) << "no proof";
    ASSERT_TRUE(std::isfinite(optimum_)) << "nothing fits";
  }

  FinalPolicy trained(const std::string& more) const {
    const std::string own = GetParam() == "hdp" ? ":groups=8:grouper_hidden=16" : "";
    return final_policy(problem_, GetParam() + ":hidden=16" + own + more, 3000, 0);
  }

  const Problem problem_ = small_problem(3, 6, 2);
  const double optimum_ = proven_optimum(problem_);
};

TEST_P(Learns, ASmallProblemNearlyToTheOptimum) {
  const FinalPolicy policy = trained("");
  EXPECT_LE(policy.greedy, kNear * optimum_);
  EXPECT_LE(policy.mean, 1.1 * optimum_);
}

// Or the test above would show nothing.
TEST_P(Learns, NothingAtALearningRateOfZero) {
  const FinalPolicy policy = trained(":lr=0");
  EXPECT_GT(policy.greedy, kNear * optimum_);
  EXPECT_GT(policy.mean, 1.1 * optimum_);
}

INSTANTIATE_TEST_SUITE_P(Agents, Learns, testing::ValuesIn(agent_names()),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace berth::learn
