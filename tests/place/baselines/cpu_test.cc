#include "place/baselines/cpu.h"

#include <gtest/gtest.h>

#include "place/method_runs.h"
#include "place/tiny_problems.h"

namespace berth::place {
namespace {

using namespace fixtures;

TEST(Cpu, PutsEverythingOnTheCpu) {
  const Problem& problem = tiny_problem("diamond");
  const Placed placed = run_method("cpu", problem);
  EXPECT_EQ(devices_of(problem, placed.plan), "cpu:0 cpu:0 cpu:0 cpu:0");
  EXPECT_EQ(placed.remark, "");
}

TEST(Cpu, SpillsWhatMayNotRunThere) {
  const Problem& problem = tiny_problem("restricted ops");
  EXPECT_EQ(devices_of(problem, run_method("cpu", problem).plan),
            "cpu:0 cpu:0 cpu:0 gpu:0 cpu:0 cpu:0 cpu:0 cpu:0");
}

TEST(Cpu, SaysWhenThereIsNone) {
  const Problem& problem = tiny_problem("no cpu");
  const Placed placed = run_method("cpu", problem);
  EXPECT_EQ(devices_of(problem, placed.plan), "gpu:0 gpu:0 gpu:0 gpu:0 gpu:0");
  EXPECT_NE(placed.remark.find("no device of kind cpu"), std::string::npos) << placed.remark;
}

}  // namespace
}  // namespace berth::place
