#include "support/planted_problem.h"

#include <cmath>

#include "sim/simulator.h"

namespace berth {
namespace {

Cluster with_devices(const Cluster& cluster, std::vector<Device> devices) {
  return Cluster(cluster.name(), std::move(devices),
                 {cluster.switches().begin(), cluster.switches().end()},
                 {cluster.links().begin(), cluster.links().end()});
}

}  // namespace

PlantedProblem plant(std::shared_ptr<const Graph> graph, const Cluster& cluster,
                     const Constraints& constraints, Plan plan, std::span<const double> filled) {
  const Problem roomy(graph, std::make_shared<const Cluster>(cluster), constraints);
  require_valid(roomy, plan, "the planted plan");
  const Outcome outcome = Simulator(roomy).evaluate(plan);
  std::vector<Device> devices(cluster.devices().begin(), cluster.devices().end());
  double sum = 0;
  double used = 0;
  for (const std::int64_t peak : outcome.peak_bytes) {
    sum += static_cast<double>(peak);
    used += peak > 0 ? 1 : 0;
  }
  for (std::size_t d = 0; d < devices.size(); ++d) {
    if (filled[d] == 0) continue;
    const double peak = outcome.peak_bytes[d] > 0 ? static_cast<double>(outcome.peak_bytes[d])
                                                  : sum / std::max(1.0, used);
    devices[d].memory_bytes = static_cast<std::int64_t>(std::ceil(peak / filled[d]));
  }
  return {Problem(std::move(graph),
                  std::make_shared<const Cluster>(with_devices(cluster, std::move(devices))),
                  constraints),
          std::move(plan)};
}

}  // namespace berth
