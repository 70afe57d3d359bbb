#include "support/odd_problem.h"

#include "base/random.h"
#include "support/random_problem.h"

namespace berth {

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

}  // namespace berth
