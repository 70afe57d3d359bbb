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
  const double single_ =
      step_if_fits(place::parse_method("single").place(problem_, place::Request()).outcome);
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

// With the preset `paper`, whose networks are only narrower here. An untaught one draws like
// chance.
class LearnsAsPublished : public Learns {
 protected:
  FinalPolicy published(const std::string& more, double evaluations) const {
    std::string widths = ":hidden=16";
    if (GetParam() == "hdp") widths += ":groups=6:grouper_hidden=16";
    if (GetParam() == "mars") widths += ":encoder_width=16:pretrain_updates=50";
    return final_policy(problem_, GetParam() + ":preset=paper" + widths + more, evaluations, 0);
  }
};

TEST_P(LearnsAsPublished, ShorterStepsThanUntaughtAndThanOneDevice) {
  const FinalPolicy policy = published("", 3000);
  // It draws the same early and late.
  const FinalPolicy untaught = published(":lr=0", 300);
  EXPECT_LE(policy.mean, 0.8 * untaught.mean);
  EXPECT_LT(policy.greedy, single_);
  EXPECT_LE(policy.greedy, kNear * optimum_);
}

INSTANTIATE_TEST_SUITE_P(Agents, LearnsAsPublished, testing::ValuesIn(agent_names()),
                         [](const auto& name) { return name.param; });
INSTANTIATE_TEST_SUITE_P(Agents, Learns, testing::ValuesIn(agent_names()),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace berth::learn
