#include "bounds/path_bound.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "bounds/folded_path.h"
#include "bounds/fork_join.h"
#include "bounds/one_machine.h"

namespace berth::bounds {
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
  for (OpId op = last; op.valid(); op = waits_for[op.index()]) bound.ops.push_back(op);
  std::reverse(bound.ops.begin(), bound.ops.end());
  return bound;
}

// The fold bound of the longest path of either table.
std::optional<PathBound> longest_fold(const PathTable& paths, const PathTails& tails,
                                      const PathTable& heads) {
  std::optional<PathBound> bound;
  // Raised starts may make another path the longest, and folding may gain more on either.
  for (const PathTable* table : {&paths, &heads}) {
    const OpId last = latest_of(table->earliest_ends());
    if (!last.valid()) continue;
    std::vector<OpId> path = table->plain_path_to(last);
    const double seconds =
        shrink_for_rounding(folded_seconds(*table, tails, path), 256 * paths.problem().op_count());
    if (seconds <= (bound ? bound->seconds : 0)) continue;
    bound = {seconds, true, std::move(path)};
  }
  return bound;
}

// Jobs on several slots of one device.
double shared_seconds(const std::vector<Job>& jobs, double slots) {
  // No job starts before the least head, none ends later than the least tail before the end, and in
  // between the slots do at most `slots` seconds of work per second. Jackson's schedule is no bound
  // for several slots.
  double head = kNever;
  double work = 0;
  double tail = kNever;
  for (const Job& job : jobs) {
    head = std::min(head, job.head);
    work += job.work;
    tail = std::min(tail, job.tail);
  }
  return head + work / slots + tail;
}

PathBound path_with_transfers(const PathTable& table) {
  PathBound bound;
  bound.with_transfers = true;
  const OpId last = latest_of(table.earliest_ends());
  if (!last.valid()) return bound;
  bound.seconds = table.earliest_ends()[last.index()];
  bound.ops = table.path_to(last);
  return bound;
}

// The group whose ops need longest on the slots of one device. `start(op, kind)` is a lower bound
// on when the op starts there, `tail(op, kind)` on what remains after its end.
template <class Start, class Tail>
GroupBound longest_group(const CostFloors& floors, const Possible& possible,
                         const DeviceKinds& kinds, Start start, Tail tail) {
  const Problem& problem = floors.problem();
  GroupBound bound;
  std::vector<Job> jobs;
  for (std::size_t g = 0; g < problem.group_count(); ++g) {
    const GroupId group(g);
    // The path bound has what a single op can say.
    if (problem.members(group).size() == 1) continue;
    double least = kNever;
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      if (!possible(group, k)) continue;
      const DeviceId device = kinds.representatives[k];
      jobs.clear();
      for (const OpId op : problem.members(group)) {
        jobs.push_back(
            {start(op, k), floors.seconds(op, problem.device_class(device)), tail(op, k)});
      }
      const auto slots = static_cast<double>(problem.cluster().device(device).slots);
      least = std::min(least, slots == 1 ? jackson_seconds(jobs) : shared_seconds(jobs, slots));
    }
    // The simulator adds the same times in another order.
    least = shrink_for_rounding(least, 8 * problem.op_count());
    if (bound.group.valid() && least <= bound.seconds) continue;
    bound = {least, group};
  }
  return bound;
}

}  // namespace

PathBounds bound_paths(const CostFloors& floors, const Footprints& footprints,
                       const DeviceKinds& kinds_by_use, const QueueOrder& queues) {
  PathBounds bounds;
  const std::size_t ops = floors.problem().op_count();
  const QueueOrder no_queues;
  const auto table = PathTable::build(floors, footprints, kinds_by_use, no_queues);
  if (!table) {
    const Possible possible(floors.problem(), footprints, kinds_by_use);
    const auto none = [](OpId, std::size_t) { return 0.0; };
    bounds.path = path_without_transfers(floors, possible, kinds_by_use);
    bounds.group = longest_group(floors, possible, kinds_by_use, none, none);
  } else {
    bounds.path = path_with_transfers(*table);
    std::optional<PathTable> queued;
    if (!queues.empty()) queued = PathTable::build(floors, footprints, kinds_by_use, queues);
    if (queued) bounds.queue = path_with_transfers(*queued);
    const PathTable& paths = queued ? *queued : *table;
    const PathTails tails(paths);
    const std::optional<PathTable> raised = raise_joins(paths, tails);
    if (raised) {
      bounds.fork = path_with_transfers(*raised);
      bounds.fork->seconds = shrink_for_rounding(bounds.fork->seconds, 256 * ops);
    }
    // Heads are from the strongest table. Tails are from the table without raised joins: raising is
    // done forward only, and both are valid bounds, so they may be mixed.
    const PathTable& heads = raised ? *raised : paths;
    bounds.fold = longest_fold(paths, tails, heads);
    bounds.interval = bound_interval(floors, footprints, heads, tails);
    const Possible possible(floors.problem(), footprints, heads.kinds());
    bounds.group = longest_group(
        floors, possible, heads.kinds(),
        [&](OpId op, std::size_t kind) { return heads.start(op, kind); },
        [&](OpId op, std::size_t kind) { return tails.tail(op, kind); });
  }
  if (!floors.exact()) bounds.path.seconds = shrink_for_rounding(bounds.path.seconds, 2 * ops);
  return bounds;
}

}  // namespace berth::bounds
