#include "support/constrained_problem.h"

#include <algorithm>
#include <string>

#include "base/random.h"
#include "graph/graph_builder.h"
#include "support/random_problem.h"

namespace berth {
namespace {

constexpr double kUnit = 1e-3;       // seconds of a usual op
constexpr double kBandwidth = 1e9;   // of a usual link
constexpr int kTriesForRoutes = 20;  // before all ops are planted on one device

double between(Random& random, double low, double high) {
  return low + (high - low) * random.uniform();
}

// Numbers of one problem: whole multiples of the unit where ties are wanted.
struct Scale {
  bool integers = false;
  double traffic = 1;  // transfer of a usual tensor / time of a usual op

  double seconds(Random& random) const {
    if (random.chance(0.05)) return 0;
    return kUnit * (integers ? static_cast<double>(random.between(1, 4)) : between(random, 0.2, 2));
  }
  std::int64_t bytes(Random& random) const {
    if (random.chance(0.05)) return 0;
    const double units =
        integers ? static_cast<double>(random.between(1, 3)) : between(random, 0.2, 2);
    return static_cast<std::int64_t>(kUnit * kBandwidth * units * traffic);
  }
};

Scale random_scale(Random& random) {
  static constexpr double kTraffic[] = {0.2, 0.5, 1, 2};
  return {.integers = random.chance(0.33), .traffic = kTraffic[random.below(4)]};
}

std::vector<Device> random_devices(Random& random, std::int64_t count) {
  std::vector<Device> devices;
  const bool has_cpu = count > 1 && random.chance(0.5);
  for (std::int64_t d = 0; d < count; ++d) {
    Device device;
    const bool cpu = has_cpu && d == 0;
    device.kind = cpu ? "cpu" : "gpu";
    device.name = device.kind + ":" + std::to_string(has_cpu && !cpu ? d - 1 : d);
    if (!cpu) device.model = random.chance(0.5) ? "A" : "B";
    device.slots = random.chance(0.1) ? 2 : 1;
    devices.push_back(device);
  }
  return devices;
}

Cluster random_links(Random& random, const Scale& scale, std::vector<Device> devices) {
  const auto count = static_cast<std::uint32_t>(devices.size());
  const auto link = [&](std::uint32_t from, std::uint32_t to) {
    const double speed =
        scale.integers ? static_cast<double>(random.between(1, 2)) : between(random, 0.4, 2.5);
    return Link{.from = from,
                .to = to,
                .bandwidth = kBandwidth * speed,
                .latency_seconds = scale.integers ? 0 : kUnit * between(random, 0, 0.2),
                .duplex = random.chance(0.6)};
  };
  std::vector<Link> links;
  if (random.chance(0.5)) {
    const double missing = random.chance(0.4) ? 0.3 : 0;
    for (std::uint32_t a = 0; a < count; ++a) {
      for (std::uint32_t b = a + 1; b < count; ++b) {
        if (!random.chance(missing)) links.push_back(link(a, b));
      }
    }
    return Cluster("mesh", std::move(devices), {}, std::move(links));
  }
  for (std::uint32_t d = 0; d < count; ++d) {
    links.push_back(link(d, count + static_cast<std::uint32_t>(random.below(2))));
  }
  if (random.chance(0.8)) links.push_back(link(count, count + 1));
  return Cluster("switches", std::move(devices), {"left", "right"}, std::move(links));
}

// Reads up to three of the last tensors; a view or a weight now and then.
void add_edges(Random& random, const Scale& scale, GraphBuilder& builder, OpId op,
               std::vector<TensorRef>& tensors) {
  std::uint32_t inputs = 0;
  if (!tensors.empty()) {
    const std::size_t near = std::min<std::size_t>(tensors.size(), 5);
    for (std::uint64_t k = random.below(4); k > 0; --k, ++inputs) {
      builder.add_input(op, tensors[tensors.size() - 1 - random.below(near)]);
    }
    if (random.chance(0.1)) builder.add_after(op, OpId(random.below(op.index())));
  }
  for (std::uint64_t k = random.chance(0.15) ? 2 : 1; k > 0; --k) {
    OutputSpec output{.bytes = scale.bytes(random)};
    if (random.chance(0.05)) {
      output.resident = true;
    } else if (inputs > 0 && random.chance(0.1)) {
      output.alias = static_cast<std::uint32_t>(random.below(inputs));
    }
    tensors.push_back(builder.add_output(op, output));
    if (random.chance(0.15)) builder.add_graph_output(tensors.back());
  }
}

Graph random_ops(Random& random, const Scale& scale, std::int64_t ops,
                 std::span<const Device> devices) {
  GraphBuilder builder("constrained");
  const bool labelled = random.chance(0.5);
  std::vector<TensorRef> tensors;
  for (std::int64_t i = 0; i < ops; ++i) {
    const OpId op = builder.add_op("op" + std::to_string(i), "MatMul");
    const double usual = scale.seconds(random);
    builder.add_seconds(op, "cpu", usual * static_cast<double>(random.between(2, 5)));
    builder.add_seconds(op, "A", usual);
    builder.add_seconds(op, "B", usual * (scale.integers ? 2 : between(random, 1, 2)));
    // One device that this op suits, or does not, better than its model says.
    if (random.chance(0.2)) {
      builder.add_seconds(op, devices[random.below(devices.size())].name, scale.seconds(random));
    }
    builder.set_param_bytes(op, random.chance(0.5) ? scale.bytes(random) : 0);
    if (random.chance(0.2)) builder.set_temp_bytes(op, scale.bytes(random));
    if (labelled && random.chance(0.4)) {
      const auto labels = static_cast<std::uint64_t>(1 + ops / 4);
      builder.set_colocation(op, "label" + std::to_string(random.below(labels)));
    }
    add_edges(random, scale, builder, op, tensors);
  }
  return std::move(builder).build();
}

// Placed at random; where routes are missing and luck fails, on one device.
Plan plan_to_plant(Random& random, const Problem& problem) {
  for (int i = 0; i < kTriesForRoutes; ++i) {
    Plan plan = random_plan(random, problem, false, false);
    if (violations(problem, plan, 1).empty()) return plan;
  }
  return {
      std::vector<DeviceId>(problem.op_count(), DeviceId(random.below(problem.device_count())))};
}

// What the plan does stays allowed, and much else is not.
Constraints constraints_around(Random& random, const Problem& problem, const Plan& plan) {
  Constraints constraints;
  const auto name_of = [&](DeviceId device) { return problem.cluster().device(device).name; };
  const auto device_of = [&](std::size_t op) { return plan.placement[op]; };
  const bool pinned = random.chance(0.4);
  const bool together = random.chance(0.3);
  for (std::size_t op = 0; op < problem.op_count(); ++op) {
    const std::string name(problem.graph().op_name(OpId(op)));
    if (pinned && random.chance(0.2)) {
      constraints.pins.push_back({name, {name_of(device_of(op))}});
      if (random.chance(0.5)) {
        constraints.pins.back().devices.push_back(
            name_of(DeviceId(random.below(problem.device_count()))));
      }
    }
    const std::size_t other = random.below(problem.op_count());
    if (together && other != op && device_of(op) == device_of(other) && random.chance(0.2)) {
      constraints.colocated.push_back({name, std::string(problem.graph().op_name(OpId(other)))});
    }
  }
  for (std::size_t d = 0; d < problem.device_count() && random.chance(0.5); ++d) {
    const auto& used = plan.placement;
    if (std::find(used.begin(), used.end(), DeviceId(d)) != used.end()) continue;
    constraints.forbidden_devices.push_back(name_of(DeviceId(d)));
    break;
  }
  return constraints;
}

}  // namespace

PlantedProblem constrained_problem(std::uint64_t seed, const ConstrainedShape& shape) {
  Random random(seed);
  const Scale scale = random_scale(random);
  std::vector<Device> devices =
      random_devices(random, random.between(shape.least_devices, shape.most_devices));
  const auto graph = std::make_shared<const Graph>(
      random_ops(random, scale, random.between(shape.least_ops, shape.most_ops), devices));
  const Cluster cluster = random_links(random, scale, std::move(devices));
  const Problem free(graph, std::make_shared<const Cluster>(cluster));
  Plan plan = plan_to_plant(random, free);
  const Constraints constraints = constraints_around(random, free, plan);
  // Some devices have room to spare, some are just large enough, a few are too small.
  const bool limited = random.chance(0.6);
  const double most_filled = random.chance(0.25) ? 1.5 : 1.0;
  std::vector<double> filled(cluster.device_count(), 0);
  for (double& part : filled) {
    if (limited && random.chance(0.8)) part = between(random, 0.5, most_filled);
  }
  return plant(graph, cluster, constraints, std::move(plan), filled);
}

}  // namespace berth
