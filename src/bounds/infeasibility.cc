#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "bounds/byte_flow.h"
#include "bounds/device_kinds.h"
#include "bounds/footprint.h"

namespace berth::bounds {
namespace {

// Beyond this many sets of devices only the total is compared: the flow's tables would be large.
constexpr std::size_t kMostHoldings = 2000;

// By device set: of the devices it allows, the first with the most room.
std::vector<DeviceId> roomiest_devices(const Problem& problem) {
  std::vector<DeviceId> roomiest(problem.device_set_count());
  for (std::size_t g = 0; g < problem.group_count(); ++g) {
    DeviceId& chosen = roomiest[problem.device_set(GroupId(g))];
    if (chosen.valid()) continue;
    const auto devices = problem.allowed_devices(GroupId(g));
    chosen = *std::max_element(devices.begin(), devices.end(), [&](DeviceId left, DeviceId right) {
      return problem.usable_bytes(left) < problem.usable_bytes(right);
    });
  }
  return roomiest;
}

std::string group_name(const Problem& problem, GroupId group) {
  const Graph& graph = problem.graph();
  const OpId first = problem.members(group).front();
  if (problem.members(group).size() == 1) return "op " + quoted(graph.op_name(first));
  const std::uint32_t label = graph.colocation_label(first);
  const std::size_t others = problem.members(group).size() - 1;
  return label != Graph::kNone
             ? fmt::format("the group {}", quoted(graph.colocation_labels()[label]))
             : fmt::format("op {} with the {} colocated with it", quoted(graph.op_name(first)),
                           others == 1 ? "op" : format_count(others) + " ops");
}

Infeasibility find_misfit(const Problem& problem, const Footprints& footprints) {
  const std::vector<DeviceId> roomiest = roomiest_devices(problem);
  Infeasibility worst;
  GroupId worst_group;
  // The group that misses most is shown: that many bytes are missing in any plan, whatever else is
  // changed.
  for (std::size_t g = 0; g < problem.group_count(); ++g) {
    const DeviceId device = roomiest[problem.device_set(GroupId(g))];
    const std::int64_t missing = footprints.needed_bytes[g] - problem.usable_bytes(device);
    if (missing <= worst.missing_bytes) continue;
    worst.missing_bytes = missing;
    worst_group = GroupId(g);
  }
  if (!worst_group.valid()) return worst;

  const OpId op = footprints.neediest_op[worst_group.index()];
  const DeviceId device = roomiest[problem.device_set(worst_group)];
  const std::string needed = format_bytes(footprints.needed_bytes[worst_group.index()]);
  const std::string fits = fmt::format("but the largest device it may use, {}, has only {}",
                                       quoted(problem.cluster().device(device).name),
                                       format_bytes(problem.usable_bytes(device)));
  if (op.valid()) {
    worst.blocking_op = op;
    const bool alone = problem.members(worst_group).size() == 1;
    worst.explanation = fmt::format(
        "op {} needs {} while it runs (inputs, outputs, workspace and the parameters of {}), {}",
        quoted(problem.graph().op_name(op)), needed,
        alone ? "the op" : group_name(problem, worst_group), fits);
  } else {
    worst.blocking_op = problem.members(worst_group).front();
    worst.explanation = fmt::format("{} holds {} of parameters and kept outputs, {}",
                                    group_name(problem, worst_group), needed, fits);
  }
  return worst;
}

std::string explain(const Problem& problem, const DeviceKinds& kinds, const ByteShortage& shortage,
                    const std::vector<ByteDemand>& demands,
                    const std::vector<std::int64_t>& capacities) {
  std::int64_t held = 0;
  std::int64_t room = 0;
  bool all_demands = true;
  for (std::size_t i = 0; i < demands.size(); ++i) {
    if (shortage.demands[i]) held = add_bytes(held, demands[i].bytes);
    all_demands = all_demands && (shortage.demands[i] || demands[i].bytes == 0);
  }
  std::vector<std::string> names;
  for (std::size_t d = 0; d < problem.device_count(); ++d) {
    if (shortage.stores[kinds.kind_of[d]]) {
      names.push_back(quoted(problem.cluster().device(DeviceId(d)).name));
    }
  }
  for (std::size_t k = 0; k < capacities.size(); ++k) {
    if (shortage.stores[k]) room = add_bytes(room, capacities[k]);
  }
  const bool all_devices = names.size() > 1 && names.size() == problem.device_count();
  const std::string holders = all_demands   ? "all ops together"
                              : all_devices ? "ops that fit only on some devices"
                                            : "the ops that can only be on these devices";
  return fmt::format("{} {}{}, but {} hold {} of parameters and kept outputs",
                     all_devices ? "all devices together" : join_names(names, 8),
                     names.size() == 1 ? "has " : "have ", format_bytes(room), holders,
                     format_bytes(held));
}

// Resident bytes of the groups that can be on the same kinds of device.
struct Holding {
  std::int64_t bytes = 0;
  // On a kind where one of these groups is allowed but too big, a plan is over by at least this.
  std::int64_t least_excess_bytes = kUnlimitedBytes;
};
using Holdings = std::map<std::vector<std::uint8_t>, Holding>;  // by kind: whether open

Holdings collect_holdings(const Problem& problem, const Footprints& footprints,
                          const DeviceKinds& kinds) {
  const Possible possible(problem, footprints, kinds);
  Holdings holdings;
  std::vector<std::uint8_t> open(kinds.size());
  for (std::size_t g = 0; g < problem.group_count(); ++g) {
    const GroupId group(g);
    if (footprints.resident_bytes[g] == 0) continue;
    std::int64_t excess = kUnlimitedBytes;
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      const DeviceId device = kinds.representatives[k];
      // Once there are too many sets, further groups count as allowed everywhere. That only weakens
      // the proof.
      open[k] = possible(group, k) || holdings.size() >= kMostHoldings;
      if (open[k] || !problem.allowed(problem.members(group).front(), device)) continue;
      excess = std::min(excess, footprints.needed_bytes[g] - problem.usable_bytes(device));
    }
    Holding& holding = holdings[open];
    holding.bytes = add_bytes(holding.bytes, footprints.resident_bytes[g]);
    holding.least_excess_bytes = std::min(holding.least_excess_bytes, excess);
  }
  return holdings;
}

Infeasibility find_overflow(const Problem& problem, const Footprints& footprints) {
  const DeviceKinds kinds = kinds_by_use(problem, footprints);
  std::vector<std::int64_t> capacities;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    std::int64_t bytes = 0;
    // Two devices without a limit of memory already exceed 63 bits.
    if (__builtin_mul_overflow(problem.usable_bytes(kinds.representatives[k]),
                               static_cast<std::int64_t>(kinds.counts[k]), &bytes)) {
      bytes = kUnlimitedBytes;
    }
    capacities.push_back(bytes);
  }
  const Holdings holdings = collect_holdings(problem, footprints, kinds);
  std::vector<ByteDemand> demands;
  for (const auto& [open, holding] : holdings) demands.push_back({holding.bytes, open});
  const ByteShortage shortage = find_shortage(demands, capacities);
  Infeasibility result;
  if (shortage.missing_bytes == 0) return result;

  // A plan that keeps every group where it fits misses what the flow misses; any other plan has a
  // group where it does not fit, and misses at least what that takes.
  result.missing_bytes = shortage.missing_bytes;
  std::size_t demand = 0;
  for (const auto& [open, holding] : holdings) {
    if (shortage.demands[demand++]) {
      result.missing_bytes = std::min(result.missing_bytes, holding.least_excess_bytes);
    }
  }
  result.explanation = explain(problem, kinds, shortage, demands, capacities);
  return result;
}

}  // namespace

Infeasibility prove_infeasible(const Problem& problem, const Footprints& footprints) {
  Infeasibility misfit = find_misfit(problem, footprints);
  // First the group that fits nowhere: it is the simpler reason, and one that the user can act on.
  // The flow below would count such a group as open to no device.
  if (misfit.missing_bytes > 0) return misfit;
  return find_overflow(problem, footprints);
}

Infeasibility prove_infeasible(const Problem& problem, Tasks tasks) {
  return prove_infeasible(problem, measure_footprints(problem, tasks));
}

}  // namespace berth::bounds
