// Every bound against the optimum of all plans, by enumeration, on random problems small enough for
// that: all placements, all orders of priorities, all fusions. Comparisons are exact: a bound that
// is one unit in the last place too large fails.
#include "sim/bounds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>

#include "base/random.h"
#include "graph/graph_builder.h"
#include "plan/plan.h"
#include "sim/simulator.h"

namespace berth {
namespace {

enum class Costs { given, modelled, mixed };

struct Shape {
  std::int64_t most_ops = 5;
  std::int64_t most_devices = 3;
  Costs costs = Costs::given;
  bool tight_memory = false;
};

const char* const kTypes[] = {"MatMul", "Conv", "Relu", "Add", "Softmax", "Reshape"};
const char* const kKinds[] = {"cpu", "gpu"};

Graph random_graph(Random& random, const Shape& shape) {
  GraphBuilder builder("random");
  const bool integers = random.chance(0.3);
  const auto seconds = [&] {
    if (random.chance(0.15)) return 0.0;
    return integers ? static_cast<double>(random.between(1, 5)) : random.uniform();
  };
  std::vector<TensorRef> tensors;
  const std::int64_t ops = random.between(1, shape.most_ops);
  for (std::int64_t i = 0; i < ops; ++i) {
    const OpId op = builder.add_op("op" + std::to_string(i), kTypes[random.below(6)]);
    const bool given =
        shape.costs == Costs::given || (shape.costs == Costs::mixed && random.chance(0.4));
    if (given) {
      for (const char* kind : kKinds) builder.add_seconds(op, kind, seconds());
      if (random.chance(0.1)) builder.add_seconds(op, "gpu1", seconds());
    }
    builder.set_flops(op, random.chance(0.2) ? 0.0 : 100 * random.uniform());
    if (random.chance(0.4)) builder.set_param_bytes(op, random.between(0, 60));
    if (random.chance(0.3)) builder.set_temp_bytes(op, random.between(0, 60));
    if (random.chance(0.3)) builder.set_colocation(op, "label" + std::to_string(random.below(2)));
    std::uint32_t inputs = 0;
    for (std::uint64_t k = random.below(3); k > 0 && !tensors.empty(); --k, ++inputs) {
      builder.add_input(
          op, tensors[tensors.size() - 1 - random.below(std::min<std::size_t>(tensors.size(), 4))]);
    }
    if (i > 0 && random.chance(0.15)) {
      builder.add_after(op, OpId(random.below(static_cast<std::uint64_t>(i))));
    }
    for (std::uint64_t k = random.chance(0.2) ? 2 : 1; k > 0; --k) {
      OutputSpec output{.bytes = random.between(0, 50)};
      if (random.chance(0.1)) {
        output.resident = true;
      } else if (inputs > 0 && random.chance(0.15)) {
        output.alias = static_cast<std::uint32_t>(random.below(inputs));
      }
      const TensorRef tensor = builder.add_output(op, output);
      tensors.push_back(tensor);
      if (random.chance(0.2)) builder.add_graph_output(tensor);
    }
  }
  return std::move(builder).build();
}

Cluster random_cluster(Random& random, const Shape& shape) {
  const std::int64_t count = random.between(1, shape.most_devices);
  const bool alike = random.chance(0.4);
  std::vector<Device> devices;
  for (std::int64_t d = 0; d < count; ++d) {
    Device device;
    device.kind = kKinds[random.below(2)];
    device.flops = {{DType::unknown, 100 * (1 + random.uniform())}};
    device.bandwidth = random.chance(0.3) ? device.bandwidth : 100 * (1 + 3 * random.uniform());
    device.launch_seconds = random.chance(0.3) ? 0.0 : 0.2 * random.uniform();
    device.slots = random.chance(0.2) ? 2 : 1;
    if (shape.tight_memory) device.memory_bytes = random.between(40, 250);
    if (alike && d > 0) device = devices.front();
    device.name = "gpu" + std::to_string(d);
    devices.push_back(device);
  }
  std::vector<Link> links;
  const double bandwidth = 40 * (1 + random.uniform());
  for (std::int64_t a = 0; a < count; ++a) {
    for (std::int64_t b = a + 1; b < count; ++b) {
      if (random.chance(0.12)) continue;
      Link link{.from = static_cast<std::uint32_t>(a), .to = static_cast<std::uint32_t>(b)};
      link.bandwidth = alike ? bandwidth : 20 + 200 * random.uniform();
      link.latency_seconds = alike ? 0.1 : 0.3 * random.uniform();
      link.duplex = random.chance(0.7);
      links.push_back(link);
    }
  }
  return Cluster("random", devices, {}, links);
}

// Problem refuses colocated ops without a common device, so rules come as pins on single ops.
Problem random_problem(Random& random, const Shape& shape) {
  Graph graph = random_graph(random, shape);
  Cluster cluster = random_cluster(random, shape);
  Constraints constraints;
  if (random.chance(0.4) && cluster.device_count() > 1) {
    const OpId op(random.below(graph.op_count()));
    constraints.pins.push_back({std::string(graph.op_name(op)), {"gpu0"}});
    if (random.chance(0.5)) constraints.pins.back().devices.emplace_back("gpu1");
  }
  return Problem(std::move(graph), std::move(cluster), constraints);
}

void for_each_placement(const Problem& problem, const std::function<void(Plan&)>& visit) {
  Plan plan;
  plan.placement.assign(problem.op_count(), DeviceId(0));
  std::vector<std::size_t> digits(problem.group_count(), 0);
  for (;;) {
    for (std::size_t i = 0; i < problem.op_count(); ++i) {
      const GroupId group = problem.group(OpId(i));
      plan.placement[i] = problem.allowed_devices(group)[digits[group.index()]];
    }
    visit(plan);
    std::size_t g = 0;
    while (g < digits.size() && ++digits[g] == problem.allowed_devices(GroupId(g)).size()) {
      digits[g++] = 0;
    }
    if (g == digits.size()) return;
  }
}

// Every partition of the ops into groups, as the fused groups of `plan` (those of two and more).
void for_each_fusion(Plan& plan, std::size_t ops, const std::function<void(const Plan&)>& visit) {
  std::vector<std::size_t> part(ops, 0);
  const std::function<void(std::size_t, std::size_t)> extend = [&](std::size_t op,
                                                                   std::size_t parts) {
    if (op == ops) {
      std::vector<std::vector<OpId>> groups(parts);
      for (std::size_t i = 0; i < ops; ++i) groups[part[i]].emplace_back(i);
      plan.fused.clear();
      for (auto& group : groups) {
        if (group.size() > 1) plan.fused.push_back(group);
      }
      visit(plan);
      return;
    }
    for (part[op] = 0; part[op] <= parts; ++part[op]) {
      extend(op + 1, std::max(parts, part[op] + 1));
    }
  };
  extend(0, 0);
  plan.fused.clear();
}

struct Optimum {
  double feasible_seconds = INFINITY;
  double valid_seconds = INFINITY;
  std::int64_t least_over_bytes = std::numeric_limits<std::int64_t>::max();

  void add(const Outcome& outcome) {
    valid_seconds = std::min(valid_seconds, outcome.step_seconds);
    least_over_bytes = std::min(least_over_bytes, outcome.over_bytes);
    if (outcome.feasible) feasible_seconds = std::min(feasible_seconds, outcome.step_seconds);
  }
};

// How near the best bound comes, so that bounds of 0 would not pass.
struct Tightness {
  double sum = 0;
  int count = 0;
  double mean() const { return count == 0 ? 0 : sum / count; }
};

void check(const Problem& problem, Tasks tasks, const Optimum& optimum, Tightness& tightness) {
  const Infeasibility infeasible = prove_infeasible(problem, tasks);
  EXPECT_LE(infeasible.missing_bytes, optimum.least_over_bytes) << infeasible.explanation;
  EXPECT_EQ(infeasible.missing_bytes == 0, infeasible.explanation.empty());
  const double limit =
      infeasible.missing_bytes > 0 ? optimum.valid_seconds : optimum.feasible_seconds;
  const Bounds bounds = lower_bounds(problem, tasks);
  ASSERT_FALSE(bounds.all.empty());
  double largest = 0;
  for (const Bound& bound : bounds.all) {
    EXPECT_TRUE(std::isfinite(bound.seconds)) << bound.name;
    EXPECT_GE(bound.seconds, 0) << bound.name;
    EXPECT_LE(bound.seconds, limit) << bound.name << ": " << bound.explanation;
    EXPECT_FALSE(bound.explanation.empty());
    largest = std::max(largest, bound.seconds);
  }
  EXPECT_EQ(bounds.best.seconds, largest);
  if (std::isfinite(limit) && limit > 0) {
    tightness.sum += bounds.best.seconds / limit;
    ++tightness.count;
  }
}

Optimum best_placement(const Problem& problem) {
  Optimum optimum;
  Simulator simulator(problem);
  for_each_placement(problem, [&](Plan& plan) {
    const Outcome& outcome = simulator.evaluate(plan);
    if (outcome.routable) optimum.add(outcome);
  });
  return optimum;
}

Optimum best_schedule(const Problem& problem) {
  Optimum optimum;
  Simulator simulator(problem);
  for_each_placement(problem, [&](Plan& plan) {
    plan.priority.resize(problem.op_count());
    std::iota(plan.priority.begin(), plan.priority.end(), 0.0);
    do {
      const Outcome& outcome = simulator.evaluate(plan);
      if (!outcome.routable) break;
      optimum.add(outcome);
    } while (std::next_permutation(plan.priority.begin(), plan.priority.end()));
    plan.priority.clear();
  });
  return optimum;
}

Optimum best_fusion(const Problem& problem) {
  Optimum optimum;
  Simulator simulator(problem);
  for_each_placement(problem, [&](Plan& plan) {
    for_each_fusion(plan, problem.op_count(), [&](const Plan& fused) {
      if (!violations(problem, fused, 1).empty()) return;
      const Outcome& outcome = simulator.evaluate(fused);
      if (outcome.routable) optimum.add(outcome);
    });
  });
  return optimum;
}

double check_many(std::uint64_t seed, int problems, const Shape& shape, Tasks tasks,
                  Optimum (*best)(const Problem&)) {
  Tightness tightness;
  Random random(seed);
  for (int i = 0; i < problems; ++i) {
    SCOPED_TRACE("problem " + std::to_string(i));
    const Problem problem = random_problem(random, shape);
    check(problem, tasks, best(problem), tightness);
    if (testing::Test::HasFailure()) break;
  }
  return tightness.mean();
}

TEST(BoundsByEnumeration, Placement) {
  EXPECT_GT(check_many(1, 400, {.most_ops = 7}, {}, best_placement), 0.9);
}

TEST(BoundsByEnumeration, PlacementInTightMemory) {
  EXPECT_GT(check_many(2, 600, {.most_ops = 6, .tight_memory = true}, {}, best_placement), 0.9);
}

TEST(BoundsByEnumeration, PlacementWithModelledCosts) {
  const Shape shape{.most_ops = 6, .costs = Costs::mixed, .tight_memory = true};
  EXPECT_GT(check_many(3, 400, shape, {}, best_placement), 0.9);
}

TEST(BoundsByEnumeration, Schedule) {
  EXPECT_GT(check_many(4, 60, {.most_ops = 5}, {.schedule = true}, best_schedule), 0.9);
  const Shape shape{.most_ops = 5, .costs = Costs::modelled, .tight_memory = true};
  EXPECT_GT(check_many(5, 60, shape, {.schedule = true}, best_schedule), 0.9);
}

TEST(BoundsByEnumeration, FusionOfGivenCosts) {
  const Shape shape{.most_ops = 5, .most_devices = 2};
  EXPECT_GT(check_many(6, 200, shape, {.fusion = true}, best_fusion), 0.8);
}

TEST(BoundsByEnumeration, FusionOfModelledCosts) {
  const Shape shape{.most_ops = 5, .most_devices = 2, .costs = Costs::modelled};
  EXPECT_GT(check_many(7, 200, shape, {.fusion = true}, best_fusion), 0.8);
}

TEST(BoundsByEnumeration, FusionOfMixedCostsInTightMemory) {
  const Shape shape{.most_ops = 5, .most_devices = 2, .costs = Costs::mixed, .tight_memory = true};
  EXPECT_GT(check_many(8, 200, shape, {.fusion = true}, best_fusion), 0.8);
}

}  // namespace
}  // namespace berth
