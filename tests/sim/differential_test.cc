// The engines against the plain reference: whole timelines on thousands of random problems.
#include <gtest/gtest.h>

#include "sim/simulator.h"
#include "support/random_problem.h"
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

// What the random problems really exercised; a generator that stopped making one of these would
// make the comparison say less than it seems to.
struct Coverage {
  int fused = 0, with_priorities = 0, infeasible = 0, aliases = 0, zero_length = 0, ties = 0;

  void count(const Problem& problem, const Plan& plan, const Timeline& timeline) {
    fused += !plan.fused.empty();
    with_priorities += !plan.priority.empty();
    infeasible += timeline.outcome.routable && !timeline.outcome.feasible;
    for (std::size_t t = 0; t < problem.graph().tensor_count(); ++t) {
      aliases += problem.graph().alias(TensorId(t)) != Graph::kNone;
    }
    for (std::size_t i = 0; i < timeline.ops.size(); ++i) {
      const auto& run = timeline.ops[i];
      zero_length += run.start_seconds == run.end_seconds;
      ties += i > 0 && run.start_seconds == timeline.ops[i - 1].start_seconds;
    }
  }
};

// One problem, several plans through one simulator, so that its scratch memory is reused.
void check_seed(std::uint64_t seed, const RandomProblemOptions& options, Coverage& coverage) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  Random random(seed);
  const bool integers = random.chance(0.5);
  const Problem problem(random_graph(random, options, integers),
                        random_cluster(random, options, integers));
  Simulator simulator(problem);
  for (int i = 0; i < 4; ++i) {
    const Plan plan = random_plan(random, problem, true, true);
    const Timeline expected = reference_trace(problem, plan);
    coverage.count(problem, plan, expected);
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

TEST(Differential, OneSlot) {
  Coverage coverage;
  for (std::uint64_t seed = 0; seed < 3000 && !testing::Test::HasFailure(); ++seed) {
    check_seed(seed, {.slots = false}, coverage);
  }
  EXPECT_GT(coverage.fused, 1000);
  EXPECT_GT(coverage.with_priorities, 1000);
  EXPECT_GT(coverage.infeasible, 1000);
  EXPECT_GT(coverage.aliases, 1000);
  EXPECT_GT(coverage.zero_length, 1000);
  EXPECT_GT(coverage.ties, 1000);
}

TEST(Differential, OneSlotWithoutAliases) {
  Coverage coverage;
  for (std::uint64_t seed = 10000; seed < 12000 && !testing::Test::HasFailure(); ++seed) {
    check_seed(seed, {.slots = false, .aliases = false}, coverage);
  }
}

TEST(Differential, SeveralSlots) {
  Coverage coverage;
  for (std::uint64_t seed = 20000; seed < 22000 && !testing::Test::HasFailure(); ++seed) {
    check_seed(seed, {.slots = true}, coverage);
  }
}

TEST(Differential, Larger) {
  Coverage coverage;
  for (std::uint64_t seed = 30000; seed < 30100 && !testing::Test::HasFailure(); ++seed) {
    check_seed(seed, {.max_ops = 150, .max_devices = 9, .colocation = true}, coverage);
  }
}

}  // namespace
}  // namespace berth
