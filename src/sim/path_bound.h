// The critical path with communication. Let end(op, d) be a lower bound on the end of op if it runs
// on device d:
//
//   end(op, d) = cost(op, d) + max over inputs t of arrival(t, d),
//                              over `after` ops of min over d' of end(after, d')
//   arrival(t, d) = min over d' of end(producer of t, d') + (d' = d ? 0 : transfer of t from d' to
//   d)
//
// where d' is d for ops of one colocation group, and devices that an op may not use, that are too
// small for its group, or that no route joins count as infinite. The bound is the max over ops of
// the min over devices. Contention for devices and links is ignored, and so is that a producer with
// several consumers has but one device; everything else a plan pays on a path is in it.
//
// Additions are those of the simulator, in its order, and rounding is monotone, so without fusion
// the bound does not exceed a true step time even in the last bit. With fusion costs are floors
// that add up (cost_floors.h), transfers between devices remain, and the result is shrunk for
// rounding.
//
// Devices count by kind (device_kinds.h). O(tensors x arcs between kinds + edges x kinds). Where
// that is too much, and where no placement at all would be routable, transfers are left out: the
// longest path with every op at its least cost.
//
// The same table bounds the start of every op, on which the group bound builds: colocated ops start
// no earlier than the first of them can, and from then on share the slots of one device.
#pragma once

#include <optional>
#include <vector>

#include "sim/path_table.h"

namespace berth {

struct PathBound {
  double seconds = 0;
  bool with_transfers = false;
  std::vector<OpId> chain;  // the ops of the path, first to last
};

struct GroupBound {
  double seconds = 0;
  GroupId group;  // none when no ops are colocated
};

struct PathBounds {
  PathBound path;
  GroupBound group;
};
PathBounds bound_paths(const CostFloors& floors, const Footprints& footprints,
                       const DeviceKinds& kinds_by_use);

}  // namespace berth
