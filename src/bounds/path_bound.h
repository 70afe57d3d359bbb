// The critical path with communication. Let end(op, d) be a lower bound on the end of op if it runs
// on device d:
//
//   end(op, d) = cost(op, d) + max over inputs t of arrival(t, d),
//                              over `after` ops of min over d' of end(after, d')
//   arrival(t, d) = min over d' of
//                       end(producer of t, d') + (d' = d ? 0 : transfer of t from d' to d)
//
// where d' is d for ops of one colocation group. Devices that an op may not use, that are too small
// for its group, or that no route joins count as infinite. The bound is the max over ops of the min
// over devices. It ignores contention for devices and links, and that a producer with several
// consumers has only one device. Everything else that a plan pays on a path is included.
//
// Additions are those of the simulator, in its order, and rounding is monotone. So without fusion
// the bound does not exceed a true step time even in the last bit. With fusion, costs are floors
// that add up (cost_floors.h), transfers between devices remain, and the result is shrunk for
// rounding.
//
// Devices are counted by kind (device_kinds.h). O(tensors x arcs between kinds + edges x kinds).
// Where that is too much, and where no placement is routable, transfers are left out: the longest
// path with every op at its least cost.
//
// Further bounds use this table, each building on the one before:
//
//  - queue: without priorities, ops wait for those that queued before them (queue_order.h);
//  - fork: ops between a fork and a join share a device or pay for transfers (fork_join.h);
//  - fold: a path that returns to groups finds them on the same devices as before (folded_path.h);
//  - interval: work that must be done in the middle of the step (interval_bound.h);
//  - group: colocated ops share the slots of one device, each no earlier than its path allows and
//    with its path to the end still to go; with one slot Jackson's schedule (one_machine.h).
//
// Their sums are in another order than the simulator's, so they are shrunk for rounding.
#pragma once

#include <optional>
#include <vector>

#include "bounds/interval_bound.h"
#include "bounds/path_table.h"

namespace berth::bounds {

struct PathBound {
  double seconds = 0;
  bool with_transfers = false;
  std::vector<OpId> ops;  // the ops of the path, first to last
};

struct GroupBound {
  double seconds = 0;
  GroupId group;  // none when no ops are colocated
};

struct PathBounds {
  PathBound path;
  // Empty where the method does not apply or gains nothing.
  std::optional<PathBound> queue, fork, fold;
  std::optional<IntervalBound> interval;
  GroupBound group;
};
PathBounds bound_paths(const CostFloors& floors, const Footprints& footprints,
                       const DeviceKinds& kinds_by_use, const QueueOrder& queues);

}  // namespace berth::bounds
