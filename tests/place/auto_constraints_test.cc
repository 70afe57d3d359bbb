// Whatever `auto` moves, its plans stay valid: unequal devices and links, links shared by both
// ways, missing routes, pins, colocation, forbidden devices; with and without a plan to start from,
// and with a running plan of which most has to stay.
#include "base/random.h"
#include "place/auto_promises.h"
#include "place/move_limit.h"
#include "support/random_problem.h"

namespace berth::place {
namespace {

constexpr double kEvaluations = 150;

ConstrainedShape shape_of(std::uint64_t seed) {
  return {.least_ops = 4,
          .most_ops = 8 + static_cast<std::int64_t>(seed % 50),
          .least_devices = 2,
          .most_devices = 3 + static_cast<std::int64_t>(seed % 6)};
}

Request request_of(std::uint64_t seed) {
  Request request;
  request.budget.evaluations = kEvaluations;
  request.seed = seed;
  request.tasks.schedule = seed % 3 == 0;
  return request;
}

Placed run(const Problem& problem, const Request& request, const std::string& method = "auto") {
  return parse_method(method).place(problem, request);
}

void expect_valid(const Problem& problem, const Request& request, const Placed& placed) {
  EXPECT_EQ(violations(problem, placed.plan), std::vector<std::string>());
  EXPECT_EQ(placed.outcome, Simulator(problem).evaluate(placed.plan));
  EXPECT_TRUE(request.tasks.schedule || placed.plan.priority.empty());
  EXPECT_TRUE(placed.plan.fused.empty());
}

// What the generator made, so that the tests below mean what they say.
TEST(ConstrainedProblem, HasEveryKindOfRestriction) {
  int pinned = 0, colocated = 0, closed = 0, unrouted = 0, shared = 0, unequal = 0, full = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const PlantedProblem planted = constrained_problem(seed, shape_of(seed));
    const Problem& problem = planted.problem;
    const Cluster& cluster = problem.cluster();
    EXPECT_EQ(violations(problem, planted.plan), std::vector<std::string>());
    pinned += problem.device_set_count() > 1;
    colocated += problem.group_count() < problem.op_count();
    std::set<DeviceId> open;
    for (std::size_t g = 0; g < problem.group_count(); ++g) {
      for (const DeviceId device : problem.allowed_devices(GroupId(g))) open.insert(device);
    }
    closed += open.size() < problem.device_count();
    bool all_routes = true;
    for (std::size_t a = 0; a < cluster.device_count(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        all_routes = all_routes && cluster.route(DeviceId(a), DeviceId(b)).exists();
      }
    }
    unrouted += !all_routes;
    shared += std::any_of(cluster.links().begin(), cluster.links().end(),
                          [](const Link& link) { return !link.duplex; });
    unequal += problem.class_count() > 1;
    full += !Simulator(problem).evaluate(planted.plan).feasible;
  }
  for (const int count : {pinned, colocated, closed, unrouted, shared, unequal, full}) {
    EXPECT_GT(count, 10);
  }
}

TEST(AutoConstraints, PlansAreValid) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    const PlantedProblem planted = constrained_problem(seed, shape_of(seed));
    const Request request = request_of(seed);
    const Placed placed = run(planted.problem, request);
    expect_valid(planted.problem, request, placed);
    if (seed % 4 != 0) continue;
    EXPECT_EQ(run(planted.problem, request, "auto:threads=1").plan, placed.plan);
    EXPECT_EQ(run(planted.problem, request, "auto:threads=3").plan, placed.plan);
  }
}

TEST(AutoConstraints, PlansAreValidAndNoWorseFromAStart) {
  for (std::uint64_t seed = 200; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    const PlantedProblem planted = constrained_problem(seed, shape_of(seed));
    const Problem& problem = planted.problem;
    Request request = request_of(seed);
    request.start = &planted.plan;
    const Placed placed = run(problem, request, seed % 2 ? "auto:threads=1" : "auto:threads=2");
    expect_valid(problem, request, placed);
    EXPECT_FALSE(better(Simulator(problem).evaluate(planted.plan), placed.outcome));
  }
}

// The planted plan runs; of some problems one device is lost, whose ops may go anywhere.
TEST(AutoConstraints, MovesNoMoreThanItMay) {
  std::size_t moved = 0;
  for (std::uint64_t seed = 400; seed < 600; ++seed) {
    SCOPED_TRACE(seed);
    const PlantedProblem planted = constrained_problem(seed, shape_of(seed));
    const Problem& problem = planted.problem;
    Random random(seed);
    std::vector<DeviceId> now = planted.plan.placement;
    if (random.chance(0.5)) {
      std::replace(now.begin(), now.end(), now.front(), DeviceId::none());
    }
    const MoveLimit move_limit = keeping_of(now, random.chance(0.3) ? 1.0 : random.uniform());
    Request request = request_of(seed);
    request.start = &planted.plan;
    request.keep = &move_limit;
    const Placed placed = run(problem, request);
    expect_valid(problem, request, placed);
    EXPECT_LE(count_moved(move_limit, placed.plan), move_limit.most_moved);
    EXPECT_FALSE(better(Simulator(problem).evaluate(planted.plan), placed.outcome));
    if (seed % 4 == 0) {
      EXPECT_EQ(run(problem, request, "auto:threads=1").plan, placed.plan);
    }
    moved += count_moved(move_limit, placed.plan);
  }
  EXPECT_GT(moved, 0u);  // it does use what it may
}

}  // namespace
}  // namespace berth::place
