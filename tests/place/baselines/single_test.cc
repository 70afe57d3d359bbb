#include "place/baselines/single.h"

#include <gtest/gtest.h>

#include "place/method_runs.h"
#include "place/tiny_problems.h"

namespace berth::place {
namespace {

using namespace fixtures;

TEST(Single, TakesTheFastestDevice) {
  const Problem& problem = tiny_problem("diamond");
  const Placed placed = run_method("single", problem);
  EXPECT_EQ(devices_of(problem, placed.plan), "gpu:0 gpu:0 gpu:0 gpu:0");
  EXPECT_EQ(placed.outcome.transfers, 0);
  EXPECT_EQ(placed.remark, "");
}

TEST(Single, TriesOneOfEqualDevices) {
  EXPECT_EQ(run_method("single", tiny_problem("wide")).evaluations, 2);  // a CPU, equal GPUs
}

TEST(Single, TakesASlowerDeviceWhenTheFastestIsFull) {
  const Problem& problem = tiny_problem("spills to cpu");
  const Placed placed = run_method("single", problem);
  EXPECT_TRUE(placed.outcome.feasible);
  EXPECT_EQ(problem.cluster().device(placed.plan.placement[0]).name, "cpu:0");
}

TEST(Single, KeepsToTheKindAskedFor) {
  const Problem& problem = tiny_problem("spills to cpu");
  const Placed placed = run_method("single:kind=gpu", problem);
  EXPECT_FALSE(placed.outcome.feasible);
  EXPECT_NE(placed.remark.find("over"), std::string::npos) << placed.remark;
  const Problem& unequal = tiny_problem("unequal devices");
  EXPECT_EQ(devices_of(unequal, run_method("single(kind=S)", unequal).plan),
            "small small small small small small");
  EXPECT_EQ(devices_of(unequal, run_method("single(kind=big)", unequal).plan),
            "big big big big big big");
}

TEST(Single, SpillsOpsThatMayNotRunThere) {
  const Problem& problem = tiny_problem("restricted ops");
  const Placed placed = run_method("single:kind=gpu:1", problem);
  EXPECT_EQ(devices_of(problem, placed.plan), "cpu:0 gpu:1 gpu:1 gpu:1 gpu:1 gpu:1 gpu:1 gpu:1");
}

TEST(Single, AnswersAnUnknownKindWithTheKnownOnes) {
  const std::string error =
      input_error_of([] { run_method("single:kind=gqu", tiny_problem("chain")); });
  EXPECT_EQ(error,
            "single: no device of cluster \"tiny\" has the kind, model or name \"gqu\"; known are "
            "cpu, cpu:0, gpu, gpu:0 and gpu:1; did you mean \"gpu\"?");
}

TEST(Single, SeesTheMostPromisingDeviceWithinABudgetOfOne) {
  const Problem& problem = tiny_problem("chain");
  Request request;
  request.budget.evaluations = 1;
  const Placed placed = parse_method("single").place(problem, request);
  EXPECT_EQ(problem.cluster().device(placed.plan.placement[0]).name, "gpu:0");
}

}  // namespace
}  // namespace berth::place
