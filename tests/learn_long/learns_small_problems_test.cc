// Policies find the optimum where it is known. docs/results/learning.txt keeps what this prints.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>

#include "learn/final_policy.h"
#include "learn/small_agents.h"
#include "support/small_problem.h"

namespace berth::learn {
namespace {

constexpr int kProblems = 6;
constexpr std::uint64_t kFirstProblem = 1000;
constexpr std::uint64_t kTrainings = 5;  // of every problem
constexpr int kTrainingsThatMustSucceed = 4;
constexpr double kEvaluations = 5000;
// Of the optimum. `go` and `encoder_placer` decide along a list schedule and stay on two of the six
// problems 9 to 10% above it (1003 and 1005, most seeds).
double near_for(const std::string& agent) {
  return agent == "go" || agent == "encoder_placer" ? 1.10 : 1.05;
}

class LearnsSmallProblems : public testing::TestWithParam<std::string> {};

TEST_P(LearnsSmallProblems, NearlyToTheOptimum) {
  int problems = 0;
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
      near += policy.greedy <= near_for(GetParam()) * optimum ? 1 : 0;
      line += fmt::format(" {:.3f}/{:.3f}", policy.greedy / optimum, policy.mean / optimum);
    }
    fmt::print("{} 12 x 3, seed {}: optimum {:.3f} ms; greedy/mean over it, by training seed:{}\n",
               GetParam(), number, optimum * 1e3, line);
    std::fflush(stdout);
    EXPECT_GE(near, kTrainingsThatMustSucceed);
  }
}

INSTANTIATE_TEST_SUITE_P(Agents, LearnsSmallProblems, testing::ValuesIn(agent_names()),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace berth::learn
