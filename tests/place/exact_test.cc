// Proofs held to plain enumeration, on problems small enough for that and as odd as can be.
#include "place/exact.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/random.h"
#include "cluster/presets.h"
#include "place/group_devices.h"
#include "place/judge.h"
#include "place/proof/refutation.h"
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

}  // namespace
}  // namespace berth
