// What the simulator promises beyond the rules: no allocation, threads, many devices, missing
// routes.
#include "sim/simulator.h"

#include <gtest/gtest.h>

#include <limits>
#include <thread>

#include "graph/graph_builder.h"
#include "sim/allocation_count.h"
#include "support/random_problem.h"

namespace berth {
namespace {

Problem random_problem(std::uint64_t seed, const RandomProblemOptions& options) {
  Random random(seed);
  Graph graph = random_graph(random, options, false);
  return Problem(std::move(graph), random_cluster(random, options, false));
}

TEST(Simulator, AllocatesNothingAfterTheFirstCall) {
  for (const bool slots : {false, true}) {
    int checked = 0;
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      const Problem problem = random_problem(seed, {.max_ops = 100, .slots = slots});
      Random random(seed);
      Simulator simulator(problem);
      std::vector<Plan> plans;
      for (int i = 0; i < 10; ++i) plans.push_back(random_plan(random, problem, false, false));
      for (int i = 0; i < 10; ++i) {
        plans.push_back(plans[i]);
        plans.back().priority.assign(problem.op_count(), 1);
      }
      simulator.evaluate(plans.front());
      simulator.evaluate(plans.back());
      const long before = allocation_count();
      for (const Plan& plan : plans) simulator.evaluate(plan);
      EXPECT_EQ(allocation_count() - before, 0) << "seed " << seed;
      checked += problem.op_count() > 10;
    }
    EXPECT_GT(checked, 20);
  }
}

TEST(Simulator, OneInstanceAThreadGivesTheSameOutcomes) {
  const Problem problem = random_problem(3, {.max_ops = 300, .max_devices = 6, .slots = false});
  Random random(3);
  std::vector<Plan> plans;
  for (int i = 0; i < 50; ++i) plans.push_back(random_plan(random, problem, true, true));
  const auto evaluate_all = [&] {
    Simulator simulator(problem);
    std::vector<Outcome> outcomes;
    for (const Plan& plan : plans) outcomes.push_back(simulator.evaluate(plan));
    return outcomes;
  };
  const auto expected = evaluate_all();
  std::vector<std::vector<Outcome>> found(4);
  std::vector<std::thread> threads;
  for (auto& result : found) threads.emplace_back([&] { result = evaluate_all(); });
  for (auto& thread : threads) thread.join();
  for (const auto& result : found) EXPECT_EQ(result, expected);
}

TEST(Simulator, RunsOnAThousandAndTwentyFourDevices) {
  constexpr std::size_t kDevices = 1024;
  std::vector<Device> devices(kDevices);
  std::vector<Link> links;
  for (std::size_t d = 0; d < kDevices; ++d) {
    devices[d].name = "gpu:" + std::to_string(d);
    devices[d].kind = "gpu";
    links.push_back({.from = static_cast<std::uint32_t>(d), .to = kDevices, .bandwidth = 1});
  }
  GraphBuilder builder("fan");
  const OpId source = builder.add_op("source", "Add");
  builder.add_seconds(source, "gpu", 1);
  builder.add_output(source, {.bytes = 1});
  for (std::size_t d = 1; d < kDevices; ++d) {
    const OpId op = builder.add_op("op" + std::to_string(d), "Add");
    builder.add_seconds(op, "gpu", 1);
    builder.add_input(op, {source, 0});
    builder.add_output(op, {.bytes = 0});
  }
  const Problem problem(std::move(builder).build(), Cluster("many", devices, {"sw"}, links));
  Plan plan;
  for (std::size_t d = 0; d < kDevices; ++d) plan.placement.emplace_back(d);
  Simulator simulator(problem);
  // 1,023 copies leave one after the other over the source's own link.
  const Outcome& outcome = simulator.evaluate(plan);
  EXPECT_EQ(outcome.step_seconds, 1 + 1023 + 1);
  EXPECT_EQ(outcome.transfers, 1023);
  EXPECT_EQ(outcome.peak_bytes[1023], 1);
}

TEST(Simulator, AMissingRouteIsSaidNotThrown) {
  std::vector<Device> devices(2);
  devices[0] = {.name = "a", .kind = "gpu"};
  devices[1] = {.name = "b", .kind = "gpu"};
  GraphBuilder builder("pair");
  const OpId x = builder.add_op("x", "Add");
  builder.add_seconds(x, "gpu", 1);
  builder.add_output(x, {.bytes = 1});
  const OpId y = builder.add_op("y", "Add");
  builder.add_seconds(y, "gpu", 1);
  builder.add_input(y, {x, 0});
  const Problem problem(std::move(builder).build(), Cluster("islands", devices, {}, {}));
  Simulator simulator(problem);
  const Plan apart{.placement = {DeviceId(0), DeviceId(1)}};
  for (const Outcome& outcome : {simulator.evaluate(apart), simulator.evaluate_generally(apart)}) {
    EXPECT_FALSE(outcome.routable);
    EXPECT_FALSE(outcome.feasible);
    EXPECT_EQ(outcome.step_seconds, std::numeric_limits<double>::infinity());
  }
  const Plan together{.placement = {DeviceId(1), DeviceId(1)}};
  EXPECT_EQ(simulator.evaluate(together).step_seconds, 2);
}

TEST(Simulator, AnEmptyGraphTakesNoTime) {
  const Problem problem(GraphBuilder("empty").build(),
                        Cluster("one", {{.name = "a", .kind = "gpu"}}, {}, {}));
  Simulator simulator(problem);
  EXPECT_EQ(simulator.evaluate(Plan{}).step_seconds, 0);
  EXPECT_TRUE(simulator.trace(Plan{}).ops.empty());
}

}  // namespace
}  // namespace berth
