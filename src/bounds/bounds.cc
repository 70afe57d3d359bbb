#include "bounds/bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "base/quantity.h"
#include "bounds/cost_floors.h"
#include "bounds/device_kinds.h"
#include "bounds/footprint.h"
#include "bounds/path_bound.h"
#include "bounds/work_bound.h"

namespace berth::bounds {
namespace {

std::string name_of(const Problem& problem, OpId op) { return quoted(problem.graph().op_name(op)); }

std::string count_ops(std::size_t count) {
  return fmt::format("{} op{}", format_count(count), count == 1 ? "" : "s");
}

std::string path_text(const Problem& problem, const std::vector<OpId>& path) {
  return path.size() == 1
             ? "op " + name_of(problem, path.front())
             : fmt::format("the path of {} from {} to {}", count_ops(path.size()),
                           name_of(problem, path.front()), name_of(problem, path.back()));
}

Bound explain(const Problem& problem, const PathBound& path, Tasks tasks) {
  Bound bound{path.seconds, "critical path", "the graph has no ops"};
  if (path.ops.empty()) return bound;
  bound.explanation =
      fmt::format("{}{} takes at least this long on the fastest devices{}",
                  path_text(problem, path.ops), tasks.fusion ? ", fused in the best way," : "",
                  path.with_transfers ? "" : " even without any transfers");
  return bound;
}

Bound explain(const Problem& problem, const PathBound& path, std::string name,
              std::string_view why) {
  return {
      path.seconds, std::move(name),
      fmt::format("{} takes at least this long, because {}", path_text(problem, path.ops), why)};
}

Bound explain(const Problem& problem, const IntervalBound& interval) {
  return {interval.seconds, "interval",
          fmt::format("{} that cannot start in the first {} nor end in the last {} take all the "
                      "time between, even when spread perfectly over {}",
                      count_ops(interval.ops), format_seconds(interval.head_seconds),
                      format_seconds(interval.tail_seconds),
                      problem.device_count() == 1
                          ? "the one device"
                          : fmt::format("the {} devices", problem.device_count()))};
}

Bound explain(const Problem& problem, const WorkBound& work) {
  Bound bound{work.seconds, "work", "the graph has no ops"};
  if (problem.op_count() == 0) return bound;
  const std::size_t devices = problem.device_count();
  bound.explanation = fmt::format(
      "all the work takes at least this long{}{}",
      devices == 1 ? " on the one device"
                   : fmt::format(" even when spread perfectly over the {} devices", devices),
      work.memory_counts
          ? ", because not everything fits in the memory of the devices that suit it best"
          : "");
  return bound;
}

Bound explain(const Problem& problem, const GroupBound& group) {
  const auto members = problem.members(group.group);
  const std::uint32_t label = problem.graph().colocation_label(members.front());
  const std::string together = label == Graph::kNone
                                   ? "with " + name_of(problem, members.front())
                                   : "as " + quoted(problem.graph().colocation_labels()[label]);
  return {
      group.seconds, "group",
      fmt::format(
          "the {} colocated {} share one device and run between the paths before and after them",
          count_ops(members.size()), together)};
}

// The most expensive op, each op at its least cost over the devices it can be on.
Bound bound_op(const CostFloors& floors, const Footprints& footprints, const DeviceKinds& kinds) {
  const Problem& problem = floors.problem();
  const Possible possible(problem, footprints, kinds);
  Bound bound{0, "op", "the graph has no ops"};
  OpId dearest;
  for (std::size_t i = 0; i < problem.op_count(); ++i) {
    double least = Problem::kImpossible;
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      if (!possible(problem.group(OpId(i)), k)) continue;
      least = std::min(
          least, floors.alone_seconds(OpId(i), problem.device_class(kinds.representatives[k])));
    }
    if (dearest.valid() && least <= bound.seconds) continue;
    bound.seconds = least;
    dearest = OpId(i);
  }
  if (!dearest.valid()) return bound;
  bound.explanation = fmt::format(
      "op {} alone, or any fused group with it, takes at least this long on the fastest "
      "device",
      name_of(problem, dearest));
  bound.seconds = shrink_for_rounding(bound.seconds, problem.op_count());
  return bound;
}

Bounds bounds_for(const Problem& problem, Tasks tasks) {
  Footprints footprints = measure_footprints(problem, tasks);
  // Where nothing fits, every device would be closed to some group and every bound infinite. Bounds
  // then hold for plans that ignore memory.
  if (prove_infeasible(problem, footprints).missing_bytes > 0) footprints = no_footprints(problem);
  const CostFloors floors(problem, tasks);
  const DeviceKinds kinds = kinds_by_use(problem, footprints);
  const PathBounds paths = bound_paths(floors, footprints, kinds, QueueOrder(problem, tasks));
  Bounds bounds;
  bounds.all.push_back(explain(problem, paths.path, tasks));
  const auto add = [&](const std::optional<PathBound>& path, const char* name, const char* why) {
    if (path) bounds.all.push_back(explain(problem, *path, name, why));
  };
  add(paths.queue, "queue",
      "without priorities an op waits for those that were ready before it on its device");
  add(paths.fork, "fork",
      "what lies between a fork and a join shares a device or pays for transfers");
  add(paths.fold, "fold",
      "it returns to groups of colocated ops, which are on the same devices as before");
  bounds.all.push_back(explain(problem, bound_work(floors, footprints, kinds)));
  if (paths.interval) bounds.all.push_back(explain(problem, *paths.interval));
  if (paths.group.group.valid()) bounds.all.push_back(explain(problem, paths.group));
  // Floors share the time of a fused group out among its members, so with fusion a single op may be
  // worth more alone than in any sum. Without fusion the critical path is no shorter than any op.
  if (tasks.fusion) bounds.all.push_back(bound_op(floors, footprints, kinds));
  for (Bound& bound : bounds.all) {
    // Times near the end of the range can add up to infinity, in the simulator as well.
    bound.seconds = std::min(bound.seconds, std::numeric_limits<double>::max());
  }
  return bounds;
}

}  // namespace

Bounds lower_bounds(const Problem& problem, Tasks tasks) {
  Bounds bounds = bounds_for(problem, tasks);
  if (!tasks.schedule) {
    // A bound that holds when more is decided also holds when less is. With priorities left open, a
    // search for the best interval may end at another, better one.
    Tasks more = tasks;
    more.schedule = true;
    for (Bound& wider : bounds_for(problem, more).all) {
      const auto same = std::find_if(bounds.all.begin(), bounds.all.end(),
                                     [&](const Bound& bound) { return bound.name == wider.name; });
      if (same != bounds.all.end() && wider.seconds > same->seconds) *same = std::move(wider);
    }
  }
  for (Bound& bound : bounds.all) bound.tasks = tasks;
  bounds.best = *std::max_element(
      bounds.all.begin(), bounds.all.end(),
      [](const Bound& left, const Bound& right) { return left.seconds < right.seconds; });
  return bounds;
}

}  // namespace berth::bounds
