// Policies find the optimum where it is known. docs/results/learning.txt keeps what this prints.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>

#include "learn/final_policy.h"
#include "support/small_problem.h"

namespace berth {
namespace {

constexpr int kProblems = 6;
constexpr std::uint64_t kFirstProblem = 1000;
constexpr std::uint64_t kTrainings = 5;  // of every problem
// Four of five over all problems. Of single problems one of the six has two or three: there are
// plans 5% to 8% above the optimum that are several moves away from it.
constexpr int kTrainingsThatMustSucceed = 4 * kProblems;
constexpr int kTrainingsOfOneProblem = 2;
constexpr double kEvaluations = 5000;
constexpr double kNear = 1.05;  // of the optimum

class LearnsSmallProblems : public testing::TestWithParam<std::string> {};

TEST_P(LearnsSmallProblems, NearlyToTheOptimum) {
  int problems = 0;
  int near_in_all = 0;
  for (std::uint64_t number = kFirstProblem; problems < kProblems; ++number) {
    SCOPED_TRACE(number);
    const Problem problem = small_problem(number, 12, 3);
    const double optimum = proven_optimum(problem);
    ASSERT_GT(optimum, 0) << "no proof";
    if (std::isinf(optimum)) continue;
    problems += 1;
    std::string line;
    int near = 0;
    for (std::uint64_t seed = 0; seed < kTrainings; ++seed) {
      const FinalPolicy policy = final_policy(problem, GetParam(), kEvaluations, seed);
      near += policy.greedy <= kNear * optimum ? 1 : 0;
      line += fmt::format(" {:.3f}/{:.3f}", policy.greedy / optimum, policy.mean / optimum);
    }
    fmt::print("{} 12 x 3, seed {}: optimum {:.3f} ms; greedy/mean over it, by training seed:{}\n",
               GetParam(), number, optimum * 1e3, line);
    std::fflush(stdout);
    EXPECT_GE(near, kTrainingsOfOneProblem);
    near_in_all += near;
  }
  EXPECT_GE(near_in_all, kTrainingsThatMustSucceed);
}

INSTANTIATE_TEST_SUITE_P(Agents, LearnsSmallProblems, testing::Values("colocrl", "hdp"),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace berth
