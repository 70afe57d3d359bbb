#include "place/repair/route_repair.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "place/tiny_problems.h"

namespace berth::place {
namespace {

using namespace fixtures;

bool is_legal(const Problem& problem, const GroupGraph& graph, const GroupDevices& devices) {
  for (std::size_t index = 0; index < devices.size(); ++index) {
    if (!is_allowed(problem, GroupId(index), devices[index])) return false;
    for (const GroupEdge& edge : graph.neighbours(GroupId(index))) {
      const DeviceId other = devices[edge.group.index()];
      if (other != devices[index] && !problem.cluster().route(devices[index], other).exists()) {
        return false;
      }
    }
  }
  return true;
}

// Counts up through all assignments.
bool any_legal(const Problem& problem, const GroupGraph& graph) {
  GroupDevices devices(problem.group_count(), DeviceId(0));
  for (;;) {
    if (is_legal(problem, graph, devices)) return true;
    std::size_t at = 0;
    while (at < devices.size() && devices[at].index() + 1 == problem.device_count()) {
      devices[at++] = DeviceId(0);
    }
    if (at == devices.size()) return false;
    devices[at] = DeviceId(devices[at].index() + 1);
  }
}

GroupDevices some_allowed(const Problem& problem, Random& random) {
  GroupDevices devices;
  for (std::size_t group = 0; group < problem.group_count(); ++group) {
    const auto allowed = problem.allowed_devices(GroupId(group));
    devices.push_back(allowed[random.below(allowed.size())]);
  }
  return devices;
}

// Few links and many pins, so that about half the problems have no legal placement.
Problem sparse_problem(Random& random) {
  std::vector<Device> devices(4);
  for (std::size_t i = 0; i < devices.size(); ++i) {
    devices[i].name = "gpu:" + std::to_string(i);
    devices[i].kind = "gpu";
  }
  std::vector<Link> links;
  for (std::uint32_t i = 0; i < 4; ++i) {
    for (std::uint32_t j = i + 1; j < 4; ++j) {
      if (random.chance(0.4)) links.push_back({.from = i, .to = j, .bandwidth = 1e9});
    }
  }
  std::vector<TinyOp> ops;
  for (std::size_t i = 0; i < 6; ++i) {
    TinyOp op{.name = "op" + std::to_string(i)};
    for (std::size_t j = 0; j < i; ++j) {
      if (random.chance(0.4)) op.inputs.push_back("op" + std::to_string(j));
    }
    for (std::size_t device = 0; device < 4; ++device) {
      if (random.chance(0.4)) op.devices.push_back("gpu:" + std::to_string(device));
    }
    ops.push_back(op);
  }
  return Problem(tiny_graph("sparse", ops), Cluster("sparse", devices, {}, links));
}

TEST(RouteRepair, FindsALegalPlacementExactlyWhenThereIsOne) {
  int with = 0, without = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Random random(seed);
    const Problem problem = sparse_problem(random);
    const GroupGraph graph(problem);
    const GroupDevices wish = some_allowed(problem, random);
    GroupDevices devices = wish;
    const bool found = repair_routes(problem, graph, devices);
    ASSERT_EQ(found, any_legal(problem, graph)) << "seed " << seed;
    ASSERT_EQ(is_legal(problem, graph, devices), found) << "seed " << seed;
    if (!found || is_legal(problem, graph, wish)) {
      ASSERT_EQ(devices, wish) << "seed " << seed;
    }
    ++(found ? with : without);
  }
  EXPECT_GT(with, 50);
  EXPECT_GT(without, 50);
}

TEST(RouteRepair, ChangesOnlyWhatItMust) {
  const Problem& problem = tiny_problem("row");  // a chain of 8 on gpu:0 - gpu:1 - gpu:2 - gpu:3
  const GroupGraph graph(problem);
  GroupDevices devices;
  for (const std::size_t device : {0, 0, 0, 3, 3, 3, 3, 3}) devices.emplace_back(device);
  ASSERT_TRUE(repair_routes(problem, graph, devices));
  ASSERT_TRUE(is_legal(problem, graph, devices));
  for (const std::size_t kept : {0, 1, 2}) EXPECT_EQ(devices[kept], DeviceId(0));
}

TEST(RouteRepair, KeepsUpWithLargeGraphs) {
  Constraints ends;
  ends.pins = {{"op0", {"cpu:0"}}, {"op19999", {"cpu:0"}}};
  std::vector<Device> devices(3);
  std::vector<Link> links;
  for (std::uint32_t i = 0; i < 3; ++i) {
    devices[i].name = i == 0 ? "cpu:0" : "gpu:" + std::to_string(i - 1);
    devices[i].kind = i == 0 ? "cpu" : "gpu";
    if (i > 0) links.push_back({.from = 0, .to = i, .bandwidth = 1e9});
  }
  const Problem problem(layered_graph(20'000, 5), Cluster("star", devices, {}, links), ends);
  const GroupGraph graph(problem);
  Random random(1);
  GroupDevices placed = some_allowed(problem, random);
  EXPECT_TRUE(repair_routes(problem, graph, placed));
  EXPECT_TRUE(is_legal(problem, graph, placed));
}

}  // namespace
}  // namespace berth::place
