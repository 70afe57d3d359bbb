#include "support/small_problem.h"

#include <algorithm>
#include <string>

#include "base/random.h"
#include "graph/graph_builder.h"

namespace berth {
namespace {

constexpr double kBandwidth = 1e9;

double between(Random& random, double low, double high) {
  return low + (high - low) * random.uniform();
}

// Every group has an op, a third a second one. Ops read one to three of the last few tensors.
Graph small_graph(Random& random, std::size_t groups, std::size_t devices) {
  static constexpr double kTraffic[] = {0.1, 0.5, 1, 2};  // transfer of a tensor / time of an op
  const double traffic = kTraffic[random.below(4)];
  const std::size_t reach = 3 + random.below(5);
  const bool alike = random.chance(0.4);
  std::vector<double> slowness(devices);
  for (double& factor : slowness) factor = alike ? 1.0 : between(random, 1, 3);
  std::vector<std::size_t> labels;
  for (std::size_t g = 0; g < groups; ++g) labels.push_back(g);
  for (std::size_t g = 0; g < groups / 3; ++g) labels.push_back(random.below(groups));
  random.shuffle(std::span(labels));

  GraphBuilder builder("small");
  std::vector<TensorRef> tensors;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const OpId op = builder.add_op("op" + std::to_string(i), "MatMul");
    const double seconds = 1e-3 * between(random, 0.2, 2);
    for (std::size_t d = 0; d < devices; ++d) {
      const double suits = alike ? 1.0 : between(random, 0.8, 1.25);
      builder.add_seconds(op, "gpu:" + std::to_string(d), seconds * slowness[d] * suits);
    }
    builder.set_colocation(op, "group" + std::to_string(labels[i]));
    builder.set_param_bytes(op, random.between(0, 4'000'000));
    if (i > 0) {
      const std::size_t near = std::min(reach, tensors.size());
      for (std::uint64_t k = 1 + random.below(3); k > 0; --k) {
        builder.add_input(op, tensors[tensors.size() - 1 - random.below(near)]);
      }
    }
    const double bytes = traffic * 1e-3 * kBandwidth * between(random, 0.2, 2);
    tensors.push_back(builder.add_output(op, {.bytes = static_cast<std::int64_t>(bytes)}));
  }
  builder.add_graph_output(tensors.back());
  return std::move(builder).build();
}

// A mesh, or devices around a switch; links all alike or each with its own speed.
Cluster small_cluster(Random& random, std::size_t count, std::int64_t param_bytes) {
  const bool tight = random.chance(0.3);
  std::vector<Device> devices(count);
  for (std::size_t d = 0; d < count; ++d) {
    devices[d].name = "gpu:" + std::to_string(d);
    devices[d].kind = "gpu";
    if (!tight) continue;
    const double share = static_cast<double>(param_bytes) / static_cast<double>(count);
    devices[d].memory_bytes = static_cast<std::int64_t>(share * between(random, 1.2, 2.5));
  }
  const bool alike = random.chance(0.5);
  const auto link = [&](std::size_t from, std::size_t to) {
    return Link{.from = static_cast<std::uint32_t>(from),
                .to = static_cast<std::uint32_t>(to),
                .bandwidth = kBandwidth * (alike ? 1 : between(random, 0.5, 2)),
                .latency_seconds = 1e-5 * (alike ? 1 : between(random, 0.5, 5)),
                .duplex = alike || random.chance(0.7)};
  };
  std::vector<Link> links;
  if (random.chance(0.5)) {
    for (std::size_t a = 0; a < count; ++a) {
      for (std::size_t b = a + 1; b < count; ++b) links.push_back(link(a, b));
    }
    return Cluster("mesh", devices, {}, links);
  }
  for (std::size_t d = 0; d < count; ++d) links.push_back(link(d, count));
  return Cluster("star", devices, {"switch"}, links);
}

}  // namespace

Problem small_problem(std::uint64_t seed, std::size_t groups, std::size_t devices) {
  Random random(seed);
  Graph graph = small_graph(random, groups, devices);
  std::int64_t params = 0;
  for (std::size_t i = 0; i < graph.op_count(); ++i) params += graph.param_bytes(OpId(i));
  Cluster cluster = small_cluster(random, devices, params);
  return Problem(std::move(graph), std::move(cluster));
}

}  // namespace berth
