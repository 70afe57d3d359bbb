// The rule by which a chain accepts a state, and what every state it accepts has to respect.
#include "place/search/annealer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "place/move_limit.h"
#include "support/constrained_problem.h"

namespace berth::place {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kAnythingGoes = 1e9;  // a temperature at which every state with routes is accepted

TEST(Acceptance, FollowsTheExponentialOfTheRise) {
  constexpr int kDraws = 100'000;
  Random random(11);
  for (const double ratio : {0.01, 0.1, 0.5, 1.0, 2.0, 4.0}) {
    for (const double temperature : {0.0001, 0.002, 3.0}) {
      int accepted = 0;
      for (int i = 0; i < kDraws; ++i)
        accepted += accepts(ratio * temperature, temperature, random);
      const double expected = std::exp(-ratio);
      const double deviation = std::sqrt(expected * (1 - expected) / kDraws);
      EXPECT_NEAR(static_cast<double>(accepted) / kDraws, expected, 4 * deviation)
          << "rise of " << ratio << " temperatures at " << temperature;
    }
  }
}

TEST(Acceptance, TakesWhatIsNoRiseWithoutADraw) {
  Random random(5);
  const auto before = random.state();
  EXPECT_TRUE(accepts(0, 0.001, random));
  EXPECT_TRUE(accepts(-1, 0.001, random));
  EXPECT_TRUE(accepts(-kNever, 0.001, random));
  EXPECT_EQ(random.state(), before);
}

TEST(Acceptance, NeverTakesWhatCannotRun) {
  Random random(6);
  for (int i = 0; i < 1000; ++i) EXPECT_FALSE(accepts(kNever, kAnythingGoes, random));
}

// Runs a chain from the planted plan, and looks at every state it comes to.
template <class Check>
void walk(const PlantedProblem& planted, const Request& request, std::uint64_t seed,
          const Check& check) {
  const Landscape landscape(planted.problem, request);
  Annealer chain(landscape, seed);
  chain.start(planted.plan, request.tasks.schedule);
  chain.run(300, kAnythingGoes, [&] {
    check(chain.plan());
    return false;
  });
  check(chain.best_plan());
}

TEST(Moves, KeepToAllowedDevicesColocationAndRoutes) {
  std::size_t states_away = 0;  // or the walks would prove nothing
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const PlantedProblem planted = constrained_problem(seed);
    if (planted.problem.group_count() == 0) continue;
    Request request;
    request.tasks.schedule = seed % 2 == 1;
    walk(planted, request, seed, [&](const Plan& plan) {
      ASSERT_EQ(violations(planted.problem, plan), std::vector<std::string>());
      ASSERT_TRUE(request.tasks.schedule || plan.priority.empty());
      states_away += plan.placement != planted.plan.placement;
    });
  }
  EXPECT_GT(states_away, 3000u);
}

TEST(Moves, KeepToTheMoveLimit) {
  std::size_t states_at_limit = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const PlantedProblem planted = constrained_problem(seed, {.least_ops = 8});
    MoveLimit limit{.devices = planted.plan.placement, .most_moved = 1 + seed % 5};
    if (seed % 3 == 0) limit.devices.front() = DeviceId();  // its device is lost
    Request request;
    request.start = &planted.plan;
    request.keep = &limit;
    walk(planted, request, seed, [&](const Plan& plan) {
      const std::size_t moved = count_moved(limit, plan);
      ASSERT_LE(moved, limit.most_moved);
      states_at_limit += moved == limit.most_moved;
    });
  }
  EXPECT_GT(states_at_limit, 1000u);
}

}  // namespace
}  // namespace berth::place
