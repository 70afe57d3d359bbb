// Problems that are nearly full: the generator keeps its word, and `auto` finds a plan.
#include "place/auto_promises.h"

namespace berth::place {
namespace {

TEST(TightProblem, IsFilledByThePlantedPlanAndHasNoLargeGroup) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    SCOPED_TRACE(seed);
    const PlantedProblem tight = tight_problem(seed);
    const Problem& problem = tight.problem;
    EXPECT_EQ(violations(problem, tight.plan), std::vector<std::string>());
    const Outcome outcome = Simulator(problem).evaluate(tight.plan);
    EXPECT_TRUE(outcome.feasible);
    std::int64_t smallest = problem.usable_bytes(DeviceId(0));
    for (std::size_t d = 0; d < problem.device_count(); ++d) {
      const std::int64_t usable = problem.usable_bytes(DeviceId(d));
      EXPECT_NEAR(static_cast<double>(outcome.peak_bytes[d]) / static_cast<double>(usable),
                  kTightFill, 1e-6);
      smallest = std::min(smallest, usable);
    }
    EXPECT_LE(static_cast<double>(largest_group_bytes(problem)),
              kLargestTightGroup * static_cast<double>(smallest));
    EXPECT_GE(problem.group_count(), 100u);
    EXPECT_LE(problem.group_count(), 400u);
    EXPECT_EQ(bounds::prove_infeasible(problem).missing_bytes, 0);
  }
}

TEST(TightMemory, AutoFindsAPlanThatFits) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const PlantedProblem tight = tight_problem(seed, {.most_devices = 4, .most_groups = 120});
    EXPECT_GT(fixtures::evaluations_to_fit(tight.problem), 0) << "seed " << seed;
  }
}

}  // namespace
}  // namespace berth::place
