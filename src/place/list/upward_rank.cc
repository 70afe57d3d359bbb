#include "place/list/upward_rank.h"

#include <algorithm>

#include "place/groups/device_sample.h"

namespace berth::place {

double mean_seconds(const Problem& problem, OpId op) {
  double total = 0;
  const auto devices = problem.allowed_devices(op);
  for (const DeviceId device : devices) total += problem.seconds(op, device);
  return total / static_cast<double>(devices.size());
}

MeanRoute mean_route(const Problem& problem) {
  const Cluster& cluster = problem.cluster();
  MeanRoute mean;
  double pairs = 0;
  std::vector<DeviceId> devices;
  for (std::size_t index = 0; index < cluster.device_count(); ++index) devices.emplace_back(index);
  // All pairs of thousands of devices would take longer than the schedule; the mean of a sample is
  // near enough.
  devices = device_sample(devices);
  for (const DeviceId from : devices) {
    for (const DeviceId to : devices) {
      const Route route = cluster.route(from, to);
      if (from == to || !route.exists()) continue;
      mean.latency_seconds += route.latency_seconds;
      mean.seconds_per_byte += 1 / route.bandwidth;
      pairs += 1;
    }
  }
  if (pairs == 0) return {};
  return {mean.latency_seconds / pairs, mean.seconds_per_byte / pairs};
}

namespace {

// Stable, so that equal ranks keep their topological order.
void sort_by_rank(std::span<const OpId> topological, UpwardRanks& ranks) {
  ranks.order.assign(topological.begin(), topological.end());
  std::stable_sort(ranks.order.begin(), ranks.order.end(), [&](OpId left, OpId right) {
    return ranks.seconds[left.index()] > ranks.seconds[right.index()];
  });
}

}  // namespace

UpwardRanks upward_ranks(const Problem& problem) {
  const Graph& graph = problem.graph();
  const MeanRoute route = mean_route(problem);
  UpwardRanks ranks;
  ranks.seconds.assign(problem.op_count(), 0);
  const auto topological = graph.topological_order();
  for (std::size_t position = topological.size(); position-- > 0;) {
    const OpId op = topological[position];
    double rest = 0;
    for (const OpId after : graph.successors(op)) {
      rest = std::max(rest, ranks.seconds[after.index()]);
    }
    for (std::size_t k = 0; k < graph.output_count(op); ++k) {
      const TensorId tensor = graph.output(op, k);
      const double travel = route.transfer_seconds(graph.bytes(tensor));
      for (const OpId reader : graph.consumers(tensor)) {
        // Colocated ops never pay for the transfer.
        if (problem.group(reader) == problem.group(op)) continue;
        rest = std::max(rest, travel + ranks.seconds[reader.index()]);
      }
    }
    ranks.seconds[op.index()] = mean_seconds(problem, op) + rest;
  }
  sort_by_rank(topological, ranks);
  return ranks;
}

UpwardRanks jittered(const Problem& problem, const UpwardRanks& ranks, double part,
                     Random& random) {
  const Graph& graph = problem.graph();
  UpwardRanks changed;
  changed.seconds = ranks.seconds;
  for (double& seconds : changed.seconds) seconds *= 1 + part * (2 * random.uniform() - 1);
  const auto topological = graph.topological_order();
  for (std::size_t position = topological.size(); position-- > 0;) {
    const OpId op = topological[position];
    double& seconds = changed.seconds[op.index()];
    for (const OpId after : graph.successors(op)) {
      // No op may rank below one that follows it, or the order would not be topological and a
      // schedule would place readers before their inputs.
      seconds = std::max(seconds, changed.seconds[after.index()]);
    }
  }
  sort_by_rank(topological, changed);
  return changed;
}

}  // namespace berth::place
