#include "sim/path_bound.h"

#include <algorithm>
#include <limits>

namespace berth {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

OpId latest_of(const std::vector<double>& ends) {
  if (ends.empty()) return OpId::none();
  return OpId(static_cast<std::size_t>(std::max_element(ends.begin(), ends.end()) - ends.begin()));
}

// Least cost of the op over the kinds it can be on.
double least_cost(const CostFloors& floors, const Possible& possible, const DeviceKinds& kinds,
                  OpId op) {
  double least = kNever;
  const GroupId group = floors.problem().group(op);
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    if (!possible(group, k)) continue;
    const std::size_t cost_class = floors.problem().device_class(kinds.representatives[k]);
    least = std::min(least, floors.seconds(op, cost_class));
  }
  return least;
}

PathBound path_without_transfers(const CostFloors& floors, const Possible& possible,
                                 const DeviceKinds& kinds) {
  const Graph& graph = floors.problem().graph();
  std::vector<double> ends(graph.op_count(), 0);
  std::vector<OpId> waits_for(graph.op_count());
  for (const OpId op : graph.topological_order()) {
    double start = -1;
    for (const OpId earlier : graph.predecessors(op)) {
      if (ends[earlier.index()] <= start) continue;
      start = ends[earlier.index()];
      waits_for[op.index()] = earlier;
    }
    ends[op.index()] = std::max(start, 0.0) + least_cost(floors, possible, kinds, op);
  }
  PathBound bound;
  const OpId last = latest_of(ends);
  if (!last.valid()) return bound;
  bound.seconds = ends[last.index()];
  for (OpId op = last; op.valid(); op = waits_for[op.index()]) bound.chain.push_back(op);
  std::reverse(bound.chain.begin(), bound.chain.end());
  return bound;
}

PathBound path_with_transfers(const PathTable& table) {
  PathBound bound;
  bound.with_transfers = true;
  const OpId last = latest_of(table.earliest_ends());
  if (!last.valid()) return bound;
  bound.seconds = table.earliest_ends()[last.index()];
  bound.chain = table.chain_to(last);
  return bound;
}

// The group whose ops need longest on the slots of one device. `start(op, kind)` is a lower bound
// on when the op starts there.
template <class Start>
GroupBound longest_group(const CostFloors& floors, const Possible& possible,
                         const DeviceKinds& kinds, Start start) {
  const Problem& problem = floors.problem();
  GroupBound bound;
  for (std::size_t g = 0; g < problem.group_count(); ++g) {
    const GroupId group(g);
    if (problem.members(group).size() == 1) continue;
    double least = kNever;
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      if (!possible(group, k)) continue;
      const DeviceId device = kinds.representatives[k];
      double work = 0;
      double earliest = kNever;
      for (const OpId op : problem.members(group)) {
        work += floors.seconds(op, problem.device_class(device));
        earliest = std::min(earliest, start(op, k));
      }
      const auto slots = static_cast<double>(problem.cluster().device(device).slots);
      least = std::min(least, earliest + work / slots);
    }
    const std::size_t terms =
        floors.exact() ? problem.members(group).size() : 2 * problem.op_count();
    least = shrink_for_rounding(least, terms);
    if (bound.group.valid() && least <= bound.seconds) continue;
    bound = {least, group};
  }
  return bound;
}

}  // namespace

PathBounds bound_paths(const CostFloors& floors, const Footprints& footprints,
                       const DeviceKinds& kinds_by_use) {
  PathBounds bounds;
  const Possible possible(floors.problem(), footprints, kinds_by_use);
  if (const auto table = PathTable::build(floors, footprints, kinds_by_use)) {
    bounds.path = path_with_transfers(*table);
    // Taking the cost off again rounds; the first factor is the room for that.
    const auto start = [&](OpId op, std::size_t kind) {
      return std::max(0.0, table->end(op, kind) * (1 - 0x1.0p-50) - table->cost(op, kind));
    };
    const Possible possible_by_route(floors.problem(), footprints, table->kinds());
    bounds.group = longest_group(floors, possible_by_route, table->kinds(), start);
  } else {
    bounds.path = path_without_transfers(floors, possible, kinds_by_use);
    bounds.group =
        longest_group(floors, possible, kinds_by_use, [](OpId, std::size_t) { return 0.0; });
  }
  if (!floors.exact()) {
    bounds.path.seconds = shrink_for_rounding(bounds.path.seconds, 2 * floors.problem().op_count());
  }
  return bounds;
}

}  // namespace berth
