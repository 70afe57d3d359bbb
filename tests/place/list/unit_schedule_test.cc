#include "place/list/unit_schedule.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "cluster/presets.h"
#include "frontends/model.h"
#include "place/evaluator.h"
#include "place/placer.h"
#include "support/constrained_problem.h"
#include "support/small_problem.h"

namespace berth::place {
namespace {

// Always where it finishes first, of the devices where it fits.
std::vector<DeviceId> by_finish(const Problem& problem, const char* units_text) {
  const Units units = make_units(problem, units_text);
  const UnitOrder order(problem, units);
  UnitSchedule schedule(order, memory_limits(problem, 1));
  while (!schedule.done()) {
    const UnitSchedule::Choice* best = nullptr;
    for (const UnitSchedule::Choice& choice : schedule.choices()) {
      if (!choice.fits) continue;
      if (!best || choice.finish_seconds < best->finish_seconds) best = &choice;
    }
    schedule.decide(best ? best->device : schedule.choices().front().device);
  }
  return schedule.take_placement();
}

TEST(UnitSchedule, IsHeftWhereItAlwaysTakesTheEarliestFinish) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem = small_problem(seed, 15, 3);
    Request request;
    const Placed heft = parse_method("heft:links=shared").place(problem, request);
    if (heft.evaluations > 1) continue;  // memory binds, and heft tries again with less
    EXPECT_EQ(by_finish(problem, "ops"), heft.plan.placement);
    ++compared;
  }
  EXPECT_GE(compared, 30);
}

// A unit may hold several colocation groups, and a weight of one of them may have been placed with
// a reader of another unit before: the optimizer's op that updates it must follow it.
TEST(UnitSchedule, KeepsColocatedOpsTogetherWhateverIsDecided) {
  const Problem problem(load_model("zoo:nmt:layers=1:seq=6").graph, make_preset("4xP100"));
  const Units units = make_units(problem, "24");
  const UnitOrder order(problem, units);
  Random random(1);
  for (int round = 0; round < 20; ++round) {
    UnitSchedule schedule(order, memory_limits(problem, 1));
    while (!schedule.done()) {
      const auto choices = schedule.choices();
      schedule.decide(choices[random.below(choices.size())].device);
    }
    Plan plan;
    plan.placement = schedule.take_placement();
    EXPECT_NO_THROW(require_valid(problem, plan, "plan"));
  }
}

TEST(UnitSchedule, KeepsUnitsTogetherAndDecidesEachOnce) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    const PlantedProblem planted = constrained_problem(seed);
    const Problem& problem = planted.problem;
    const Units units = make_units(problem, "6");
    const UnitOrder order(problem, units);
    std::vector<std::uint32_t> decided = order.decided;
    std::ranges::sort(decided);
    EXPECT_EQ(std::adjacent_find(decided.begin(), decided.end()), decided.end());
    UnitSchedule schedule(order, memory_limits(problem, 1));
    std::vector<DeviceId> chosen(units.size());
    while (!schedule.done()) {
      const auto choices = schedule.choices();
      ASSERT_FALSE(choices.empty());
      const DeviceId device = choices.back().device;
      chosen[order.decided[schedule.decisions()]] = device;
      schedule.decide(device);
    }
    const std::vector<DeviceId> placement = schedule.take_placement();
    for (std::size_t op = 0; op < placement.size(); ++op) {
      const DeviceId device = chosen[units.of_op[op]];
      EXPECT_TRUE(placement[op].valid());
      if (device.valid()) {
        EXPECT_EQ(placement[op], device);
      }
    }
  }
}

}  // namespace
}  // namespace berth::place
