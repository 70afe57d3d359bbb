// The path bound counts kinds of device instead of devices; that must change nothing. Here is the
// recurrence as the header states it, device by device, on clusters with much and little symmetry.
#include "bounds/path_bound.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>

#include "base/error.h"
#include "base/random.h"
#include "cluster/presets.h"
#include "graph/graph_builder.h"

namespace berth::bounds {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

Graph random_graph(Random& random, std::int64_t ops) {
  GraphBuilder builder("random");
  std::vector<TensorRef> tensors;
  const char* const types[] = {"MatMul", "Relu", "Reshape", "Conv"};
  for (std::int64_t i = 0; i < ops; ++i) {
    const OpId op = builder.add_op("op" + std::to_string(i), types[random.below(4)]);
    builder.set_flops(op, 1e9 * random.uniform());
    builder.set_param_bytes(op, random.between(0, 1000));
    if (random.chance(0.2)) builder.set_colocation(op, "label" + std::to_string(random.below(9)));
    if (random.chance(0.1)) builder.add_seconds(op, "cpu", 1e-3 * random.uniform());
    for (std::uint64_t k = random.below(4); k > 0 && !tensors.empty(); --k) {
      const std::size_t back = random.below(std::min<std::size_t>(tensors.size(), 20));
      builder.add_input(op, tensors[tensors.size() - 1 - back]);
    }
    if (i > 0 && random.chance(0.1)) {
      builder.add_after(op, OpId(random.below(static_cast<std::uint64_t>(i))));
    }
    tensors.push_back(builder.add_output(op, {.bytes = random.between(0, 4'000'000)}));
  }
  return std::move(builder).build();
}

double plain_path(const Problem& problem) {
  const Graph& graph = problem.graph();
  const Cluster& cluster = problem.cluster();
  const std::size_t devices = problem.device_count();
  std::vector<std::vector<double>> ends(problem.op_count(), std::vector<double>(devices, kNever));
  double longest = 0;
  for (const OpId op : graph.topological_order()) {
    for (const DeviceId device : problem.allowed_devices(op)) {
      double start = 0;
      for (const TensorId tensor : graph.inputs(op)) {
        const OpId producer = graph.producer(tensor);
        double arrival = ends[producer.index()][device.index()];
        for (std::size_t d = 0; d < devices; ++d) {
          const DeviceId from(d);
          if (from == device || problem.group(op) == problem.group(producer) ||
              !cluster.route(from, device).exists()) {
            continue;
          }
          // In the simulator's order of additions.
          const Route route = cluster.route(from, device);
          const double transfer = static_cast<double>(graph.bytes(tensor)) / route.bandwidth;
          arrival = std::min(arrival, ends[producer.index()][d] + route.latency_seconds + transfer);
        }
        start = std::max(start, arrival);
      }
      for (const OpId earlier : graph.after(op)) {
        const auto& row = ends[earlier.index()];
        start = std::max(start, problem.group(op) == problem.group(earlier)
                                    ? row[device.index()]
                                    : *std::min_element(row.begin(), row.end()));
      }
      ends[op.index()][device.index()] = start + problem.seconds(op, device);
    }
    const auto& row = ends[op.index()];
    longest = std::max(longest, *std::min_element(row.begin(), row.end()));
  }
  return longest;
}

PathBound path_by_kinds(const Problem& problem) {
  const Footprints footprints = no_footprints(problem);
  const CostFloors floors(problem, {});
  const QueueOrder no_queues(problem, {.schedule = true});
  return bound_paths(floors, footprints, kinds_by_use(problem, footprints), no_queues).path;
}

void check(Random& random, const Cluster& cluster) {
  for (const bool pinned : {false, true}) {
    Constraints constraints;
    if (pinned) {
      constraints.pins.push_back({"op1*", {cluster.devices().back().name, "cpu"}});
      constraints.pins.push_back({"op7", {cluster.devices().front().name}});
    }
    Graph graph = random_graph(random, 120);
    try {
      const Problem problem(std::move(graph), cluster, constraints);
      const PathBound bound = path_by_kinds(problem);
      const double expected = plain_path(problem);
      EXPECT_EQ(bound.with_transfers, expected != kNever) << cluster.name();
      if (bound.with_transfers) {
        EXPECT_EQ(bound.seconds, expected) << cluster.name();
      }
    } catch (const InputError&) {
      EXPECT_TRUE(pinned);  // colocated ops pinned apart: no problem at all
    }
  }
}

TEST(PathBoundByKinds, EqualsThePlainRecurrenceOnPresets) {
  Random random(1);
  for (const ClusterPreset& preset : cluster_presets()) {
    if (make_preset(preset.name).device_count() <= 20) check(random, make_preset(preset.name));
  }
}

TEST(PathBoundByKinds, EqualsThePlainRecurrenceOnRandomClusters) {
  Random random(2);
  for (int i = 0; i < 100; ++i) {
    SCOPED_TRACE(i);
    const auto count = static_cast<std::uint32_t>(random.between(1, 8));
    std::vector<Device> devices(count);
    std::vector<Link> links;
    for (std::uint32_t d = 0; d < count; ++d) {
      devices[d].name = "device" + std::to_string(d);
      devices[d].kind = random.chance(0.3) ? "cpu" : "gpu";
      devices[d].flops = {{DType::unknown, 1e12}};
      for (std::uint32_t other = 0; other < d; ++other) {
        // Few sorts of link, in both directions of numbering: symmetry comes and goes.
        if (random.chance(0.3)) continue;
        const double step = static_cast<double>(random.between(1, 2));
        links.push_back({.from = other,
                         .to = d,
                         .bandwidth = 1e9 * step,
                         .latency_seconds = 1e-4 * step * step});
      }
    }
    check(random, Cluster("random", devices, {}, links));
  }
}

TEST(PathBoundByKinds, KeepsEveryWayThatCanBeBest) {
  // Every cpu reaches one gpu quickly and the other widely: two kinds, two ways between them.
  std::vector<Device> devices(4);
  for (std::uint32_t d = 0; d < 4; ++d) {
    devices[d].name = "device" + std::to_string(d);
    devices[d].kind = d < 2 ? "cpu" : "gpu";
    devices[d].flops = {{DType::unknown, d < 2 ? 1e12 : 2e12}};
  }
  std::vector<Link> links;
  for (std::uint32_t cpu = 0; cpu < 2; ++cpu) {
    links.push_back({.from = cpu, .to = 2 + cpu, .bandwidth = 1e9, .latency_seconds = 1e-5});
    links.push_back({.from = cpu, .to = 3 - cpu, .bandwidth = 1e10, .latency_seconds = 1e-3});
  }
  const Cluster cluster("crossed", devices, {}, links);
  Random random(4);
  for (int i = 0; i < 20; ++i) {
    const Problem problem(random_graph(random, 120), cluster);
    const Footprints footprints = no_footprints(problem);
    const RoutedKinds routed = split_by_routes(cluster, kinds_by_use(problem, footprints));
    ASSERT_EQ(routed.kinds.size(), 2u);
    EXPECT_EQ(routed.arrivals.items.size(), 4u);
    EXPECT_EQ(path_by_kinds(problem).seconds, plain_path(problem));
  }
}

TEST(DeviceKinds, MergeLikeDevicesAndKeepUnlikeOnesApart) {
  Random random(3);
  const Problem problem(random_graph(random, 10), make_preset("2x8xA100-ib"));
  const Footprints footprints = no_footprints(problem);
  const DeviceKinds kinds = kinds_by_use(problem, footprints);
  const RoutedKinds routed = split_by_routes(problem.cluster(), kinds);
  // Two like hosts: one kind of gpu, and one of cpu where hosts have one.
  EXPECT_LE(kinds.size(), 2u);
  EXPECT_EQ(routed.kinds.size(), kinds.size());
}

}  // namespace
}  // namespace berth::bounds
