// The schedules that a search begins from keep to their share of the budget.
#include "place/search/starts.h"

#include <gtest/gtest.h>

#include <cmath>

#include "place/groups/group_graph.h"
#include "place/tiny_problems.h"

namespace berth::place {
namespace {

using namespace fixtures;

struct Made {
  std::vector<Start> starts;
  double evaluations = 0;
};

// Large enough for schedules that weigh transfers; after one bad plan, so that the first schedules
// gain and those with jittered ranks are tried.
Made schedule(double evaluations, double share, std::size_t threads, std::uint64_t seed = 0,
              double gap = 0) {
  static const Problem problem(layered_graph(2500, 1), tiny_cluster({.gpus = 20}));
  Request request;
  request.budget.evaluations = evaluations;
  Evaluator evaluator(problem, request);
  request.gap = gap;
  evaluator.consider(parse_method("random").place(problem, {}).plan);
  if (gap > 0) evaluator.know_bound(evaluator.best_outcome().step_seconds / 2);
  const GroupGraph graph(problem);
  const std::vector<Family> families = make_families(problem, graph);
  Made made;
  schedule_blocks(problem, families, seed, share, threads, evaluator, made.starts);
  made.evaluations = evaluator.evaluations() - 1;
  return made;
}

TEST(ScheduleBlocks, TakeTheirShareOnceHoweverManyBatchesGain) {
  for (const double share : {0.02, 0.22}) {
    EXPECT_EQ(schedule(101, share, 1).evaluations, std::floor(100 * share)) << share;
  }
  EXPECT_EQ(schedule(4, 0.15, 1).evaluations, 0);
}

TEST(ScheduleBlocks, MakeTheSamePlansOnAnyNumberOfThreads) {
  const Made one = schedule(101, 0.09, 1);
  for (const std::size_t threads : {2, 5}) {
    const Made several = schedule(101, 0.09, threads);
    ASSERT_EQ(several.starts.size(), one.starts.size());
    for (std::size_t i = 0; i < one.starts.size(); ++i) {
      EXPECT_EQ(several.starts[i].plan, one.starts[i].plan) << threads << " threads, " << i;
    }
  }
}

// On several threads schedules are made that one thread would not have begun.
TEST(ScheduleBlocks, EndAtTheSameScheduleOnAnyNumberOfThreadsWhenTheGapIsReached) {
  const double gap = 0.9;  // of half the first step: the first schedule that gains a little
  const Made one = schedule(101, 0.2, 1, 0, gap);
  EXPECT_LT(one.evaluations, 10);
  EXPECT_EQ(schedule(101, 0.2, 8, 0, gap).evaluations, one.evaluations);
}

TEST(ScheduleBlocks, TryOtherRanksWithAnotherSeed) {
  const Made first = schedule(101, 0.09, 1, 1);
  const Made second = schedule(101, 0.09, 1, 2);
  ASSERT_EQ(first.starts.size(), second.starts.size());
  ASSERT_GT(first.starts.size(), 4u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(first.starts[i].plan, second.starts[i].plan) << "with the ranks themselves, " << i;
  }
  std::size_t others = 0;
  for (std::size_t i = 3; i < first.starts.size(); ++i) {
    if (first.starts[i].plan != second.starts[i].plan) ++others;
  }
  EXPECT_GT(others, 0u);
}

}  // namespace
}  // namespace berth::place
