#include "place/repair/repair_plan.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "cluster/cluster_file.h"
#include "cluster/lost_devices.h"
#include "cluster/presets.h"
#include "frontends/graph_file.h"
#include "frontends/model.h"
#include "place/move_limit.h"
#include "sim/simulator.h"
#include "support/random_problem.h"

namespace berth::place {
namespace {

// The plan on what is left of the cluster: none where the device is gone.
Plan carried_over(Plan plan, const Cluster& whole, const Cluster& rest) {
  const std::vector<DeviceId> left = devices_by_name(whole, rest);
  for (DeviceId& device : plan.placement) device = left[device.index()];
  return plan;
}

TEST(MendPlan, PlacesTheLostAndMovesNothingElse) {
  int with_lost = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    const RandomProblemOptions options{.colocation = true};
    Graph graph = random_graph(random, options, seed % 2 == 0);
    const Cluster cluster = random_cluster(random, options, seed % 2 == 0);
    if (cluster.device_count() < 2) continue;
    const Problem whole(graph, cluster);
    const Plan plan = random_plan(random, whole, true, true);
    const Cluster rest =
        without_devices(cluster, std::vector<std::string>{cluster.devices().back().name});
    const Problem problem(std::move(graph), rest);
    const Plan carried = carried_over(plan, cluster, rest);
    const MoveLimit move_limit = keeping_of(carried.placement, 1);
    const Plan repaired = repair_plan(problem, carried);
    with_lost += count_lost(move_limit) > 0;
    if (!violations(whole, plan).empty()) continue;
    EXPECT_EQ(violations(problem, repaired), std::vector<std::string>{}) << seed;
    EXPECT_EQ(repaired.priority, plan.priority);
    if (count_lost(move_limit) == 0) {
      EXPECT_EQ(repaired, carried);
    }
    EXPECT_EQ(repaired, repair_plan(problem, carried)) << "twice the same, seed " << seed;
    EXPECT_EQ(count_moved(move_limit, repaired), 0u) << seed;
  }
  EXPECT_GT(with_lost, 20);
}

TEST(MendPlan, ALostStageOfAPipelineStaysTogether) {
  const Model model = load_model("zoo:chain:ops=40");
  const Cluster whole = make_preset("4xP100");
  const Cluster rest = without_devices(whole, std::vector<std::string>{"gpu:3"});
  const Problem problem(model.graph, rest);
  Plan plan{.placement = std::vector<DeviceId>(model.graph.op_count(), DeviceId(1))};
  for (std::size_t i = 30; i < plan.placement.size(); ++i) plan.placement[i] = DeviceId::none();
  const Plan repaired = repair_plan(problem, plan);
  // One device after the other: nothing is gained by sending, so the chain goes on where it was.
  EXPECT_EQ(repaired.placement, std::vector<DeviceId>(plan.placement.size(), DeviceId(1)));
}

// Two ops that fit one device each, of which one is nearly full already.
TEST(MendPlan, LooksForRoom) {
  const Problem problem(
      parse_graph(R"({"format": "berth.graph", "version": 1, "ops": [
    {"name": "a", "type": "MatMul", "outputs": [{"bytes": 1}], "param_bytes": 900, "seconds": {"gpu": 1}},
    {"name": "b", "type": "MatMul", "inputs": ["a"], "outputs": [{"bytes": 1}], "param_bytes": 500, "seconds": {"gpu": 1}}]})",
                  "graph"),
      parse_cluster(R"({"format": "berth.cluster", "version": 1, "name": "pair", "devices": [
    {"name": "gpu:0", "kind": "gpu", "memory": 1000}, {"name": "gpu:1", "kind": "gpu", "memory": 1000}],
    "links": [{"between": ["gpu:0", "gpu:1"], "bandwidth": 1}]})",
                    "cluster"));
  const Plan repaired = repair_plan(problem, {.placement = {DeviceId(0), DeviceId::none()}});
  EXPECT_EQ(repaired.placement[1], DeviceId(1));
  EXPECT_TRUE(Simulator(problem).evaluate(repaired).feasible);
}

TEST(MoveLimit, CountsWhatMayMove) {
  const std::vector<DeviceId> hundred(100, DeviceId(0));
  EXPECT_EQ(keeping_of(hundred, 0.9).most_moved, 10u);
  EXPECT_EQ(keeping_of(hundred, 0.07).most_moved, 93u);
  EXPECT_EQ(keeping_of(hundred, 0.999).most_moved, 0u);
  EXPECT_EQ(keeping_of(hundred, 1).most_moved, 0u);
  EXPECT_EQ(keeping_of(hundred, 0).most_moved, 100u);
  std::vector<DeviceId> now = hundred;
  now[3] = now[4] = DeviceId::none();
  const MoveLimit move_limit = keeping_of(now, 0.5);
  EXPECT_EQ(move_limit.most_moved, 49u);
  EXPECT_EQ(count_lost(move_limit), 2u);
  Plan plan{.placement = std::vector<DeviceId>(100, DeviceId(0))};
  plan.placement[3] = plan.placement[7] = DeviceId(1);
  EXPECT_EQ(count_moved(move_limit, plan), 1u);
}

}  // namespace
}  // namespace berth::place
