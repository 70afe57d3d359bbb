// All the work of a step, spread as well as possible: T is no less than the optimum of
//
//   min T   s.t. colocation groups are spread, in fractions, over kinds of device they can be on,
//                the seconds on a kind are at most T x its slots,
//                the resident bytes on a kind are at most what its devices may use together
//
// (assignment_dual.h). So a cluster of slow and fast devices counts with what they can do together,
// and what does not fit on the fast devices counts at the cost on the slow ones. Devices of one
// kind are merged and their slots and memory added up. By symmetry this loses nothing, as they are
// equal in cost, rules, slots and memory (device_kinds.h). Groups with equal costs on all kinds and
// equal bytes are merged too, which makes the program of a network with repeated layers small. Rows
// for memory are left out where a kind could hold everything.
//
// It ignores dependencies and transfers. Costs are floors, so with fusion it holds for fused plans.
// The simulator adds up costs one rounding at a time, so the result is shrunk by what n roundings
// can lose. O(groups x kinds) per round of the dual, some tens of rounds.
#pragma once

#include <functional>
#include <vector>

#include "bounds/cost_floors.h"
#include "bounds/device_kinds.h"

namespace berth::bounds {

struct WorkBound {
  double seconds = 0;
  bool memory_counts = false;       // without limits on memory it would be smaller
  std::vector<double> slot_prices;  // by kind: price of a second on one slot
};

// Whether an op counts on a kind of device; where not, it is free there.
using Counts = std::function<bool(OpId, std::size_t)>;

// `kinds` may be kinds by use or any refinement of them.
WorkBound bound_work(const CostFloors& floors, const Footprints& footprints,
                     const DeviceKinds& kinds, const Counts& counts = nullptr);

}  // namespace berth::bounds
