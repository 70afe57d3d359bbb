#include "place/baselines/random.h"

#include <gtest/gtest.h>

#include <set>

#include "base/random.h"
#include "place/groups/units.h"
#include "place/method_runs.h"
#include "place/tiny_problems.h"

namespace berth::place {
namespace {

using namespace fixtures;

TEST(RandomPlacer, DrawsAsOftenAsItMay) {
  const Problem& problem = tiny_problem("chain");
  EXPECT_EQ(run_method("random", problem).evaluations, 100);
  EXPECT_EQ(run_method("random:tries=7", problem).evaluations, 7);
  Request request;
  request.budget.evaluations = 250;
  EXPECT_EQ(parse_method("random").place(problem, request).evaluations, 250);
}

TEST(RandomPlacer, MoreDrawsAreNeverWorse) {
  const Problem& problem = tiny_problem("layered");
  double last = std::numeric_limits<double>::infinity();
  for (const char* method : {"random(tries=1)", "random(tries=10)", "random(tries=300)"}) {
    const double step = run_method(method, problem).outcome.step_seconds;
    EXPECT_LE(step, last);
    last = step;
  }
}

TEST(RandomPlacer, DrawsUniformlyFromAllowedDevices) {
  // One op on four devices that cost the same: the first draw is the plan.
  const Problem problem(tiny_graph("one", {{.name = "op", .gpu_seconds = 1, .cpu_seconds = 1}}),
                        tiny_cluster({.gpus = 3}));
  std::vector<int> drawn(4, 0);
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    ++drawn[run_method("random(tries=1)", problem, seed).plan.placement[0].index()];
  }
  // Mean 500, standard deviation 19.4: five of these either way.
  for (const int count : drawn) EXPECT_NEAR(count, 500, 97);
}

TEST(RandomPlacer, RepairsWhenNoDrawFits) {
  const Problem& problem = tiny_problem("tight memory");
  const Placed placed = run_method("random(tries=3)", problem);
  EXPECT_TRUE(placed.outcome.feasible);
  EXPECT_EQ(placed.remark, "no draw fits in memory; the plan is a draw with groups moved");
}

TEST(RandomPlacer, DrawsOneDeviceAUnit) {
  const Problem& problem = tiny_problem("layered");
  const Units units = make_units(problem, "5");
  const Placed placed = run_method("random(tries=4,units=5)", problem);
  std::vector<DeviceId> devices(units.size());
  for (std::size_t op = 0; op < problem.op_count(); ++op) {
    DeviceId& device = devices[units.of_op[op]];
    if (!device.valid()) device = placed.plan.placement[op];
    EXPECT_EQ(placed.plan.placement[op], device);
  }
  const std::set<DeviceId> different(devices.begin(), devices.end());
  EXPECT_GT(different.size(), 1u);
}

TEST(RandomPlacer, DrawsGroupsInTheirOrderByDefault) {
  // The draws of the generator, one a group in the order of groups.
  const Problem& problem = tiny_problem("colocation");
  Random random(7);
  std::vector<DeviceId> devices;
  for (std::size_t group = 0; group < problem.group_count(); ++group) {
    const std::span<const DeviceId> allowed = problem.allowed_devices(GroupId(group));
    devices.push_back(allowed[random.below(allowed.size())]);
  }
  for (const char* method : {"random(tries=1)", "random(tries=1,units=ops)"}) {
    const Plan plan = run_method(method, problem, 7).plan;
    for (std::size_t op = 0; op < problem.op_count(); ++op) {
      EXPECT_EQ(plan.placement[op], devices[problem.group(OpId(op)).index()]) << method;
    }
  }
}

TEST(RandomPlacer, SaysWhatUnitsItTakes) {
  EXPECT_EQ(
      input_error_of([] { run_method("random(units=op)", tiny_problem("chain")); }),
      "option \"units\" must be a whole number of at least 1, \"coloc\", \"ops\" or \"auto\" but "
      "is \"op\"; did you mean \"ops\"?");
}

}  // namespace
}  // namespace berth::place
