#include "place/partition/partition.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "place/partition/bisection.h"
#include "place/remarks.h"
#include "place/repair/memory_repair.h"
#include "place/repair/route_repair.h"

namespace berth::place {
namespace {

// With more devices only the first are used: matching parts with devices looks at all pairs, and
// few models have work for more.
constexpr std::size_t kMostParts = 1024;

// The position in input.devices of every part. Only parts of equal share are exchanged.
std::vector<std::size_t> match_parts(const Problem& problem, const PartitionInput& input,
                                     const Parts& parts) {
  const std::size_t count = input.part_count();
  std::vector<double> legal_work(count * count, 0);
  for (std::size_t vertex = 0; vertex < input.vertex_count(); ++vertex) {
    for (std::size_t place = 0; place < count; ++place) {
      if (!is_allowed(problem, input.groups[vertex], input.devices[place])) continue;
      legal_work[static_cast<std::size_t>(parts[vertex]) * count + place] += input.work[vertex];
    }
  }
  // Most legal work first; of equals a part keeps its own place.
  std::vector<std::tuple<double, bool, std::size_t, std::size_t>> pairs;
  for (std::size_t part = 0; part < count; ++part) {
    for (std::size_t place = 0; place < count; ++place) {
      if (input.shares[part] != input.shares[place]) continue;
      pairs.emplace_back(-legal_work[part * count + place], part != place, part, place);
    }
  }
  std::ranges::sort(pairs);
  std::vector<std::size_t> place_of(count, count);
  std::vector<std::uint8_t> taken(count, 0);
  for (const auto& [work, moved, part, place] : pairs) {
    if (place_of[part] != count || taken[place] != 0) continue;
    place_of[part] = place;
    taken[place] = 1;
  }
  return place_of;
}

// Of the candidates, the device that most bytes of the group lead to; ties: the first.
DeviceId most_connected(const GroupGraph& graph, GroupId group, const GroupDevices& devices,
                        std::span<const DeviceId> candidates) {
  DeviceId best;
  double best_bytes = -1;
  for (const DeviceId candidate : candidates) {
    double bytes = 0;
    for (const GroupEdge& edge : graph.neighbours(group)) {
      if (devices[edge.group.index()] == candidate) bytes += edge.bytes;
    }
    if (bytes > best_bytes) {
      best = candidate;
      best_bytes = bytes;
    }
  }
  return best;
}

// Where a group that cannot stay with its part may go: of the devices spread over those it may use,
// else of all its devices the fastest.
std::vector<DeviceId> refuges(const RepairInputs& inputs, const PartitionInput& input,
                              GroupId group) {
  std::vector<DeviceId> candidates;
  for (const DeviceId device : input.devices) {
    if (is_allowed(inputs.problem, group, device)) candidates.push_back(device);
  }
  if (!candidates.empty()) return candidates;
  for (const DeviceId device : inputs.problem.allowed_devices(group)) {
    if (inputs.costs.penalty(group, device) == 0) candidates.push_back(device);
  }
  return candidates;
}

GroupDevices devices_of(const RepairInputs& inputs, const PartitionInput& input,
                        const Parts& parts) {
  const std::vector<std::size_t> place_of = match_parts(inputs.problem, input, parts);
  GroupDevices devices(inputs.problem.group_count());
  for (std::size_t vertex = 0; vertex < input.vertex_count(); ++vertex) {
    const DeviceId device = input.devices[place_of[static_cast<std::size_t>(parts[vertex])]];
    const GroupId group = input.groups[vertex];
    if (is_allowed(inputs.problem, group, device)) devices[group.index()] = device;
  }
  for (std::size_t index = 0; index < devices.size(); ++index) {
    if (devices[index].valid()) continue;
    const GroupId group(index);
    devices[index] = most_connected(inputs.graph, group, devices, refuges(inputs, input, group));
  }
  if (!fully_routed(inputs.problem.cluster())) {
    repair_routes(inputs.problem, inputs.graph, devices);
  }
  return devices;
}

struct Division {
  Parts parts;
  bool stand_in = false;  // the partitioner failed
};

Division divide(const PartitionInput& input, const Partitioner& partitioner, double imbalance) {
  if (input.part_count() < 2 || input.vertex_count() < 2) {
    // A single group goes to the largest share.
    const auto largest = std::ranges::max_element(input.shares);
    return {Parts(input.vertex_count(), static_cast<std::int32_t>(largest - input.shares.begin()))};
  }
  if (std::optional<Parts> parts = partitioner(input)) return {std::move(*parts)};
  return {recursive_bisection(input, imbalance), true};
}

}  // namespace

std::vector<OptionSpec> partition_options(const std::string& default_imbalance) {
  return {{.name = "imbalance",
           .type = OptionSpec::Type::real,
           .default_value = default_imbalance,
           .sentence = "By how much a part may exceed its share of the work.",
           .low = 0.001,
           .high = 10},
          {.name = "devices",
           .type = OptionSpec::Type::choice,
           .default_value = "accelerators",
           .sentence = "What to spread over: accelerators, or all devices with the CPUs.",
           .choices = {"accelerators", "all"}},
          {.name = "repair",
           .type = OptionSpec::Type::boolean,
           .default_value = "on",
           .sentence = "Move groups when the partition does not fit in memory."}};
}

Placed place_by_partition(const Problem& problem, const Request& request, const Options& options,
                          const Partitioner& partitioner) {
  Evaluator evaluator(problem, request);
  const GroupGraph graph(problem);
  const GroupCosts costs(problem);
  const RepairInputs inputs{problem, graph, costs};
  std::vector<DeviceId> places = devices_to_spread_over(problem, options.text("devices") == "all");
  places.resize(std::min(places.size(), kMostParts));
  const PartitionInput input =
      partition_input(problem, graph, costs, std::move(places), request.seed);
  const Division division = divide(input, partitioner, options.real("imbalance"));
  GroupDevices devices = devices_of(inputs, input, division.parts);
  const Outcome raw = evaluator.consider(plan_of(problem, devices));
  Repair repair = Repair::not_tried;
  const bool may_repair = options.boolean("repair") && !evaluator.exhausted();
  if (raw.routable && !raw.feasible && may_repair) {
    const bool fits = repair_memory(inputs, evaluator, std::move(devices), raw);
    repair = fits ? Repair::worked : Repair::failed;
  }
  std::string remark = remark_on_repair("the partition", raw, repair, evaluator.best_outcome());
  if (division.stand_in) {
    remark = "the library failed, so recursive bisection was used" +
             (remark.empty() ? "" : "; " + remark);
  }
  return evaluator.finish(std::move(remark));
}

}  // namespace berth::place
