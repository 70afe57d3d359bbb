#include "support/differential.h"

#include <gtest/gtest.h>

#include "sim/simulator.h"
#include "support/reference_simulator.h"

namespace berth {
namespace {

void expect_equal(const Outcome& expected, const Outcome& actual) {
  EXPECT_EQ(expected.step_seconds, actual.step_seconds);
  EXPECT_EQ(expected.routable, actual.routable);
  EXPECT_EQ(expected.feasible, actual.feasible);
  if (!expected.routable) return;
  EXPECT_EQ(expected.peak_bytes, actual.peak_bytes);
  EXPECT_EQ(expected.busy_seconds, actual.busy_seconds);
  EXPECT_EQ(expected.transfers, actual.transfers);
  EXPECT_EQ(expected.transferred_bytes, actual.transferred_bytes);
  EXPECT_EQ(expected.over_bytes, actual.over_bytes);
}

void count(Coverage& coverage, const Problem& problem, const Plan& plan, const Timeline& timeline) {
  coverage.fused += !plan.fused.empty();
  coverage.with_priorities += !plan.priority.empty();
  coverage.infeasible += timeline.outcome.routable && !timeline.outcome.feasible;
  for (std::size_t t = 0; t < problem.graph().tensor_count(); ++t) {
    coverage.aliases += problem.graph().alias(TensorId(t)) != Graph::kNone;
  }
  for (std::size_t i = 0; i < timeline.ops.size(); ++i) {
    const auto& run = timeline.ops[i];
    coverage.zero_length += run.start_seconds == run.end_seconds;
    coverage.ties += i > 0 && run.start_seconds == timeline.ops[i - 1].start_seconds;
  }
}

}  // namespace

void check_engines(std::uint64_t seed, const RandomProblemOptions& options, Coverage& coverage) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  Random random(seed);
  const bool integers = random.chance(0.5);
  const Problem problem(random_graph(random, options, integers),
                        random_cluster(random, options, integers));
  Simulator simulator(problem);
  for (int i = 0; i < 4; ++i) {
    const Plan plan = random_plan(random, problem, true, true);
    const Timeline expected = reference_trace(problem, plan);
    count(coverage, problem, plan, expected);
    expect_equal(expected.outcome, simulator.evaluate(plan));
    expect_equal(expected.outcome, simulator.evaluate_generally(plan));
    const Timeline traced = simulator.trace(plan);
    expect_equal(expected.outcome, traced.outcome);
    if (!expected.outcome.routable) continue;
    EXPECT_EQ(expected.ops, traced.ops);
    EXPECT_EQ(expected.transfers, traced.transfers);
    EXPECT_EQ(expected.memory, traced.memory);
  }
}

}  // namespace berth
