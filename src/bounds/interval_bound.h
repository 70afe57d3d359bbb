// Work that must be done in the middle of a step (Fernandez and Bussell 1973, here for unequal
// devices). By the paths before and after it, an op cannot start before its head, and its end is at
// least its tail before the end of the step. So the ops with a head of at least a and a tail of at
// least b share what the cluster can do between a and T - b:
//
//   T >= a + b + work bound of these ops alone
//
// An op counts on those kinds of device where its head and tail are that long. a and b are taken
// from a grid. For given prices of the work bound (assignment_dual.h) all windows of the grid are
// valued at once and the best is solved exactly; its prices value the grid again, until no better
// window is found. Every window gives a valid bound, so the choice needs no proof.
//
// O(ops x kinds + windows) per round, plus one work bound; a handful of rounds.
#pragma once

#include "bounds/path_tails.h"
#include "bounds/work_bound.h"

namespace berth::bounds {

struct IntervalBound {
  double seconds = 0;
  double head_seconds = 0;  // a
  double tail_seconds = 0;  // b
  std::size_t ops = 0;      // that count
};

IntervalBound bound_interval(const CostFloors& floors, const Footprints& footprints,
                             const PathTable& heads, const PathTails& tails);

}  // namespace berth::bounds
