// What the host holds is chosen again where the accelerators have no room for all parameters.
#include "place/search/host_start.h"

#include <gtest/gtest.h>

#include "place/tiny_problems.h"

namespace berth::place {
namespace {

using namespace fixtures;

// The GPU has room for two of the three. The first is the one that the CPU slows down least.
Problem three_in_a_row(std::int64_t gpu_bytes = 1'000'000'000) {
  constexpr std::int64_t kParamBytes = 400'000'000;
  return Problem(
      tiny_graph("row",
                 {{.name = "a", .cpu_seconds = 0.01, .param_bytes = kParamBytes},
                  {.name = "b", .cpu_seconds = 0.5, .inputs = {"a"}, .param_bytes = kParamBytes},
                  {.name = "c", .cpu_seconds = 0.3, .inputs = {"b"}, .param_bytes = kParamBytes}}),
      tiny_cluster({.gpus = 1, .gpu_bytes = gpu_bytes, .cpu_bytes = 2'000'000'000}));
}

constexpr DeviceId kHost(0), kGpu(1);

struct Chosen {
  std::vector<Start> starts;
  double evaluations = 0;  // beyond that of the given plan
  Plan best;
};

Chosen choose(const Problem& problem, const Plan& plan, double evaluations = 100) {
  Request request;
  request.budget.evaluations = evaluations;
  Evaluator evaluator(problem, request);
  evaluator.consider(plan);
  Chosen chosen;
  add_host_start(problem, request, evaluator, chosen.starts);
  chosen.evaluations = evaluator.evaluations() - 1;
  chosen.best = evaluator.best_plan();
  return chosen;
}

TEST(HostStart, LeavesToTheHostWhatCostsLeastThere) {
  const Chosen chosen = choose(three_in_a_row(), Plan{{kGpu, kHost, kGpu}});
  ASSERT_EQ(chosen.starts.size(), 1u);
  const Plan wanted{{kHost, kGpu, kGpu}};
  EXPECT_EQ(chosen.starts.front().plan, wanted);
  EXPECT_TRUE(chosen.starts.front().outcome.feasible);
  EXPECT_EQ(chosen.best, wanted);
  EXPECT_EQ(chosen.evaluations, 2);  // all on the GPU, then one of them not
}

TEST(HostStart, AddsNoPlanTwice) {
  const Plan plan{{kHost, kGpu, kGpu}};
  const Chosen chosen = choose(three_in_a_row(), plan);
  EXPECT_TRUE(chosen.starts.empty());
  EXPECT_EQ(chosen.best, plan);
  EXPECT_EQ(chosen.evaluations, 2);
}

TEST(HostStart, DoesNothingWhereTheParametersFit) {
  const Chosen chosen = choose(three_in_a_row(2'000'000'000), Plan{{kGpu, kHost, kGpu}});
  EXPECT_TRUE(chosen.starts.empty());
  EXPECT_EQ(chosen.evaluations, 0);
}

TEST(HostStart, SpendsNoMoreThanTheBudgetHas) {
  const Plan plan{{kGpu, kHost, kGpu}};
  EXPECT_EQ(choose(three_in_a_row(), plan, 1).evaluations, 0);
  const Chosen chosen = choose(three_in_a_row(), plan, 2);
  EXPECT_EQ(chosen.evaluations, 1);
  EXPECT_EQ(chosen.best, plan);  // the other does not fit yet
}

}  // namespace
}  // namespace berth::place
