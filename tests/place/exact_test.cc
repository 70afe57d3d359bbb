// Proofs held to plain enumeration, on problems small enough for that and as odd as can be.
#include "place/exact.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/random.h"
#include "cluster/presets.h"
#include "place/group_devices.h"
#include "place/judge.h"
#include "place/proof/one_machine.h"
#include "place/proof/prefix.h"
#include "place/proof/refutation.h"
#include "place/proof/symmetry.h"
#include "sim/simulator.h"
#include "support/random_problem.h"
#include "support/small_problem.h"
#include "zoo/workload.h"

namespace berth {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
using Order = Refutation::Order;
constexpr const char* kProven = "proven: no placement is shorter";
constexpr const char* kNothingFits = "every placement was tried or ruled out, and none fits";

// The shortest step over all placements that fit; infinite when none does.
double optimum(const Problem& problem) {
  Simulator simulator(problem);
  GroupDevices devices(problem.group_count());
  std::vector<std::size_t> choice(problem.group_count(), 0);
  double best = kNever;
  for (;;) {
    for (std::size_t g = 0; g < choice.size(); ++g) {
      devices[g] = problem.allowed_devices(GroupId(g))[choice[g]];
    }
    const Outcome& outcome = simulator.evaluate(plan_of(problem, devices));
    if (outcome.routable && outcome.feasible) best = std::min(best, outcome.step_seconds);
    std::size_t g = 0;
    while (g < choice.size() && ++choice[g] == problem.allowed_devices(GroupId(g)).size()) {
      choice[g++] = 0;
    }
    if (g == choice.size()) return best;
  }
}

// Slots, aliases, `after`, ops and transfers that take no time, ties everywhere in a third of them,
// tight memory, missing routes, pins and forbidden devices.
Problem odd_problem(std::uint64_t seed) {
  Random random(seed);
  const bool integers = seed % 3 == 0;
  RandomProblemOptions shape;
  shape.max_ops = 7;
  shape.max_devices = 3;
  shape.colocation = seed % 2 == 0;
  Graph graph = random_graph(random, shape, integers);
  Cluster cluster = random_cluster(random, shape, integers);
  if (random.chance(0.2)) {
    std::vector<Link> links(cluster.links().begin(), cluster.links().end());
    if (!links.empty())
      links.erase(links.begin() + static_cast<std::ptrdiff_t>(random.below(links.size())));
    cluster = Cluster("cut", {cluster.devices().begin(), cluster.devices().end()},
                      {cluster.switches().begin(), cluster.switches().end()}, links);
  }
  Constraints constraints;
  if (random.chance(0.3)) {
    const OpId op(random.below(graph.op_count()));
    const std::size_t device = random.below(cluster.device_count());
    constraints.pins.push_back({std::string(graph.op_name(op)), {cluster.devices()[device].name}});
    if (random.chance(0.5)) constraints.pins.back().devices.emplace_back("cpu");
  }
  return Problem(std::move(graph), std::move(cluster), constraints);
}

Placed run(const Problem& problem, double evaluations, std::uint64_t seed = 0) {
  Request request;
  request.seed = seed;
  request.budget.evaluations = evaluations;
  return parse_method("exact").place(problem, request);
}

TEST(Exact, FindsAndProvesTheOptimumOfOddProblems) {
  int proven = 0;
  int nothing_fits = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem = odd_problem(seed);
    const double best = optimum(problem);
    const Placed placed = run(problem, 20'000);
    if (best == kNever) {
      EXPECT_EQ(placed.remark, kNothingFits);
      EXPECT_EQ(placed.bound_seconds, 0);
      ++nothing_fits;
      continue;
    }
    EXPECT_EQ(placed.remark, kProven);
    EXPECT_EQ(placed.outcome.step_seconds, best);
    EXPECT_EQ(placed.bound_seconds, best);
    ++proven;
  }
  EXPECT_GT(proven, 800);
  EXPECT_GT(nothing_fits, 100);
}

// Without a plan to begin with, the search has to come upon the optimum itself.
TEST(Exact, RefutesOnlyWhatIsFalse) {
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem = odd_problem(10'000 + seed);
    const double best = optimum(problem);
    if (best == kNever) continue;
    const Relaxation relaxation(problem);
    Propagation propagation(relaxation);
    Domains domains = relaxation.domains;
    EXPECT_TRUE(propagation.narrow(domains, std::nextafter(best, kNever)));
    for (const Order order : {Order::chronological, Order::heaviest_first}) {
      const Request request;
      Judge judge(problem, request);
      Refutation refutation(relaxation, judge);
      EXPECT_TRUE(refutation.run(kNever, kNever, order));
      ASSERT_TRUE(judge.has_best());
      EXPECT_EQ(judge.best_outcome().step_seconds, best);
    }
  }
}

// A budget that ends early leaves a bound that is not proven to be the optimum, but holds.
TEST(Exact, BoundIsNeverAboveTheOptimum) {
  int unfinished = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem = seed % 2 == 0 ? odd_problem(20'000 + seed) : small_problem(seed, 7, 3);
    const double best = optimum(problem);
    for (const double evaluations : {20.0, 60.0, 200.0}) {
      const Placed placed = run(problem, evaluations);
      EXPECT_LE(placed.bound_seconds, best);
      EXPECT_LE(placed.evaluations, evaluations + 20);
      if (placed.remark == kProven) {
        EXPECT_EQ(placed.outcome.step_seconds, best);
      } else if (placed.outcome.feasible) {
        ++unfinished;
      }
    }
  }
  EXPECT_GT(unfinished, 100);
}

TEST(Exact, ProvesADozenGroupsOnThreeDevices) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Problem problem = small_problem(seed, 12, 3);
    ASSERT_EQ(problem.group_count(), 12u);
    const Placed placed = run(problem, 100'000);
    EXPECT_EQ(placed.remark, placed.outcome.feasible ? kProven : kNothingFits) << seed;
  }
}

TEST(Exact, RaisesTheBoundOfLargerProblems) {
  const Call call = parse_call("rnnlm:seq=4");
  const Workload& workload = find_workload(call.name);
  const Problem problem(
      workload.build(Options(workload.name, workload.options, call), Mode::training),
      make_preset("2xP100"));
  const Placed placed = run(problem, 1000);
  EXPECT_GT(placed.bound_seconds, 1.05 * lower_bounds(problem).best.seconds);
  EXPECT_LE(placed.bound_seconds, placed.outcome.step_seconds);
}

TEST(Exact, SaysNothingOfTasksItDoesNotDecide) {
  Request request;
  request.tasks.schedule = true;
  const Placed placed = parse_method("exact").place(small_problem(3, 6, 2), request);
  EXPECT_EQ(placed.remark, kProven);
  EXPECT_EQ(placed.bound_seconds, 0);
  EXPECT_TRUE(placed.plan.priority.empty());
}

TEST(Exact, EndsWithoutABudget) {
  const Placed placed = parse_method("exact").place(small_problem(15, 20, 4), Request{});
  EXPECT_LT(placed.evaluations, 60'000);
}

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
    EXPECT_TRUE(propagation.narrow(domains, std::nextafter(outcome.step_seconds, kNever)));
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
  machine.add({.head = 0, .length = 4, .tail = 1});
  EXPECT_EQ(machine.least_end(), 5);
  // Interrupts the first at 2, runs to 3, and the first ends at 5.
  machine.add({.head = 2, .length = 1, .tail = 7});
  EXPECT_EQ(machine.least_end(), 10);
  machine.add({.head = 20, .length = 1, .tail = 0});
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
}  // namespace berth
