// The parts of a proof, each held to the simulator or to what was worked out by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/random.h"
#include "place/evaluator.h"
#include "place/groups/group_devices.h"
#include "place/proof/one_machine.h"
#include "place/proof/prefix.h"
#include "place/proof/propagation.h"
#include "place/proof/symmetry.h"
#include "sim/simulator.h"
#include "support/odd_problem.h"
#include "support/random_problem.h"

namespace berth::place {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

// Chance completions of chance partial placements: nothing settled may turn out otherwise, and
// what was taken away may not be needed by anything feasible below the limit.
TEST(Propagation, HoldsForEveryCompletion) {
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem = odd_problem(30'000 + seed);
    const Relaxation relaxation(problem);
    Random random(seed);
    const Plan plan = random_plan(random, problem, false, false);
    const Outcome outcome = Simulator(problem).evaluate(plan);
    if (!outcome.routable || !outcome.feasible) continue;
    const GroupDevices devices = devices_of_groups(problem, plan);
    const double share = random.uniform();
    Domains domains = relaxation.domains;
    for (std::size_t g = 0; g < domains.size(); ++g) {
      if (random.chance(share)) domains[g] = only(devices[g].index());
    }
    Propagation propagation(relaxation);
    EXPECT_TRUE(propagation.narrow(domains, std::nextafter(outcome.step_seconds, kNever), kNever));
    for (std::size_t g = 0; g < domains.size(); ++g) {
      EXPECT_NE(domains[g] & only(devices[g].index()), 0u) << g;
    }
  }
}

TEST(Prefix, OfACompletePlacementIsTheStep) {
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem = odd_problem(40'000 + seed);
    const Relaxation relaxation(problem);
    Random random(seed);
    const Plan plan = random_plan(random, problem, false, false);
    const Outcome outcome = Simulator(problem).evaluate(plan);
    if (!outcome.routable) continue;
    Domains domains;
    for (const DeviceId device : devices_of_groups(problem, plan)) {
      domains.push_back(only(device.index()));
    }
    Prefix prefix(relaxation);
    prefix.run(domains);
    EXPECT_EQ(prefix.open_group(), Prefix::kNoGroup);
    double last = 0;
    for (std::size_t op = 0; op < relaxation.ops; ++op) {
      ASSERT_GE(prefix.start(op), 0) << op;
      const std::size_t device = lowest(domains[relaxation.group_of[op]]);
      last = std::max(last, prefix.start(op) + relaxation.cost(op, device));
    }
    EXPECT_EQ(last, outcome.step_seconds);
  }
}

TEST(OneMachine, FollowsJacksonsSchedule) {
  OneMachine machine;
  EXPECT_EQ(machine.least_end(), 0);
  machine.add({.head = 0, .work = 4, .tail = 1});
  EXPECT_EQ(machine.least_end(), 5);
  // Interrupts the first at 2, runs to 3, and the first ends at 5.
  machine.add({.head = 2, .work = 1, .tail = 7});
  EXPECT_EQ(machine.least_end(), 10);
  machine.add({.head = 20, .work = 1, .tail = 0});
  EXPECT_EQ(machine.least_end(), 21);
  EXPECT_GE(machine.most_end(), 21);
}

Cluster like_devices(bool star) {
  std::vector<Device> devices(3);
  for (std::size_t d = 0; d < 3; ++d) {
    devices[d].name = "gpu:" + std::to_string(d);
    devices[d].kind = "gpu";
  }
  std::vector<Link> links;
  for (std::uint32_t d = 0; d < 3; ++d) {
    const std::uint32_t to = star ? 3 : (d + 1) % 3;
    links.push_back({.from = std::min(d, to), .to = std::max(d, to), .bandwidth = 1e9});
  }
  return Cluster(star ? "star" : "mesh", devices,
                 star ? std::vector<std::string>{"switch"} : std::vector<std::string>{}, links);
}

TEST(Symmetry, IsFoundWhereItIsExact) {
  RandomProblemOptions shape;
  shape.max_ops = 12;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Problem problem(random_graph(random, shape, seed % 2 == 0), like_devices(false));
    const Relaxation relaxation(problem);
    const Symmetry symmetry(relaxation);
    ASSERT_EQ(symmetry.twins(0), only(1) | only(2));
    Plan plan = random_plan(random, problem, false, false);
    const double seconds = Simulator(problem).evaluate(plan).step_seconds;
    for (DeviceId& device : plan.placement) device = DeviceId((device.index() + 1) % 3);
    EXPECT_EQ(Simulator(problem).evaluate(plan).step_seconds, seconds);
    // Nothing is decided: one device stands for all. Once one is used, it and one other.
    Domains domains = relaxation.domains;
    EXPECT_EQ(symmetry.representatives(domains, 0), only(0));
    if (domains.size() < 2) continue;
    domains[1] = only(1);
    EXPECT_EQ(symmetry.representatives(domains, 0), only(0) | only(1));
  }
}

// Behind a switch the order of sending tells like devices apart.
TEST(Symmetry, IsNotClaimedWhereTransfersShareAChannel) {
  Random random(1);
  const Problem problem(random_graph(random, {}, true), like_devices(true));
  EXPECT_EQ(Symmetry(Relaxation(problem)).twins(0), 0u);
}

}  // namespace
}  // namespace berth::place
