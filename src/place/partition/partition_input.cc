#include "place/partition/partition_input.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "place/groups/group_footprint.h"

namespace berth::place {
namespace {

constexpr double kVertexTotal = 0x1p28;
constexpr double kEdgeTotal = 0x1p25;
constexpr std::int32_t kOutside = -1;  // a group that is not a vertex

// Numbers the groups that may use one of the devices; fills input.groups and returns their vertices
// by group.
std::vector<std::int32_t> number_vertices(const Problem& problem, PartitionInput& input) {
  // Asked once per device set: with a thousand devices, asking per group would take too long.
  std::vector<std::uint8_t> set_fits(problem.device_set_count(), 2);  // 2: not known yet
  std::vector<std::int32_t> vertices(problem.group_count(), kOutside);
  std::vector<std::uint8_t> seen(problem.group_count(), 0);
  for (const OpId op : problem.graph().topological_order()) {
    const GroupId group = problem.group(op);
    if (seen[group.index()] != 0) continue;
    seen[group.index()] = 1;
    std::uint8_t& fits = set_fits[problem.device_set(group)];
    if (fits == 2) {
      fits = std::ranges::any_of(input.devices,
                                 [&](DeviceId device) { return problem.allowed(op, device); });
    }
    if (fits == 0) continue;
    vertices[group.index()] = static_cast<std::int32_t>(input.groups.size());
    input.groups.push_back(group);
  }
  return vertices;
}

// Positive integers in proportion to the values, summing to about `total`.
std::vector<std::int32_t> scaled(const std::vector<double>& values, double total) {
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  const double factor = sum > 0 ? total / sum : 0;
  std::vector<std::int32_t> integers(values.size());
  std::ranges::transform(values, integers.begin(), [factor](double value) {
    // At least 1, as the header explains; the sum grows by at most the number of values.
    return 1 + static_cast<std::int32_t>(value * factor);
  });
  return integers;
}

void normalize(std::vector<double>& shares) {
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share = sum > 0 ? share / sum : 1.0 / double(shares.size());
}

// Fills work, only_part and shares.
void weigh_work(const Problem& problem, const GroupCosts& costs, PartitionInput& input) {
  std::vector<double> mean(input.vertex_count());
  std::vector<double> work_allowed(input.part_count(), 0), seconds_there(input.part_count(), 0);
  for (std::size_t vertex = 0; vertex < mean.size(); ++vertex) {
    const GroupId group = input.groups[vertex];
    double sum = 0;
    int allowed = 0;
    for (const DeviceId device : input.devices) {
      if (!is_allowed(problem, group, device)) continue;
      sum += costs.seconds(group, device);
      ++allowed;
    }
    mean[vertex] = sum / allowed;
    for (std::size_t part = 0; part < input.part_count(); ++part) {
      if (!is_allowed(problem, group, input.devices[part])) continue;
      work_allowed[part] += mean[vertex];
      seconds_there[part] += costs.seconds(group, input.devices[part]);
      if (allowed == 1) input.only_part[vertex] = static_cast<std::int32_t>(part);
    }
  }
  input.work = scaled(mean, kVertexTotal);
  for (std::size_t part = 0; part < input.part_count(); ++part) {
    const double speed = seconds_there[part] > 0 ? work_allowed[part] / seconds_there[part] : 1.0;
    const auto slots = problem.cluster().device(input.devices[part]).slots;
    input.shares.push_back(speed * static_cast<double>(slots));
  }
  normalize(input.shares);
}

void weigh_memory(const Problem& problem, PartitionInput& input) {
  const std::vector<GroupFootprint> footprints = group_footprints(problem);
  std::vector<double> bytes(input.vertex_count());
  for (std::size_t vertex = 0; vertex < bytes.size(); ++vertex) {
    const GroupFootprint& footprint = footprints[input.groups[vertex].index()];
    bytes[vertex] = footprint.param_bytes + footprint.output_bytes;
  }
  input.memory = scaled(bytes, kVertexTotal);
  for (const DeviceId device : input.devices) {
    input.memory_shares.push_back(static_cast<double>(problem.usable_bytes(device)));
  }
  normalize(input.memory_shares);
}

void weigh_edges(const GroupGraph& graph, const std::vector<std::int32_t>& vertices,
                 PartitionInput& input) {
  std::vector<double> bytes;
  input.begins.push_back(0);
  for (const GroupId group : input.groups) {
    for (const GroupEdge& edge : graph.neighbours(group)) {
      const std::int32_t neighbour = vertices[edge.group.index()];
      if (neighbour == kOutside) continue;
      input.neighbours.push_back(neighbour);
      bytes.push_back(edge.bytes);
    }
    input.begins.push_back(static_cast<std::int32_t>(input.neighbours.size()));
  }
  const double sum = std::accumulate(bytes.begin(), bytes.end(), 0.0);
  input.bytes = scaled(bytes, std::min(sum, kEdgeTotal));
}

}  // namespace

PartitionInput partition_input(const Problem& problem, const GroupGraph& graph,
                               const GroupCosts& costs, std::vector<DeviceId> devices,
                               std::uint64_t seed) {
  PartitionInput input;
  input.devices = std::move(devices);
  input.seed = seed;
  const std::vector<std::int32_t> vertices = number_vertices(problem, input);
  input.only_part.assign(input.vertex_count(), PartitionInput::kAnyPart);
  weigh_work(problem, costs, input);
  weigh_memory(problem, input);
  weigh_edges(graph, vertices, input);
  return input;
}

std::int64_t cut_bytes(const PartitionInput& input, const Parts& parts) {
  std::int64_t both_ways = 0;
  for (std::size_t vertex = 0; vertex < input.vertex_count(); ++vertex) {
    for (std::int32_t at = input.begins[vertex]; at < input.begins[vertex + 1]; ++at) {
      if (parts[vertex] != parts[input.neighbours[at]]) both_ways += input.bytes[at];
    }
  }
  return both_ways / 2;
}

}  // namespace berth::place
