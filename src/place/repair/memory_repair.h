// Makes a placement fit in memory by moving groups off over-full devices.
//
// Placers that look at work and bytes on edges alone (partitioners, round robin, random) do not see
// memory. When the simulator says their plan does not fit, this moves groups until it does:
//
//   1. Rounds of moves. For a device over by N bytes, groups are moved away until their relief adds
//      up to N, those first that cost least time a byte:
//        (seconds there - seconds here + bytes cut by the move / bandwidth) / relief
//      The relief of a group is its parameters and a share of its outputs. The share is what the
//      last simulation says: device peak less parameters over the sum of outputs there. A group may
//      only go where it is allowed, has routes to its neighbours and has room by the same estimate.
//      Then the simulator has its say again: at most 16 rounds, less when 4 in a row do not help.
//   2. Refilling. When that fails, all groups are packed anew, the largest first, each on the
//      device it was on if it has room there and else where it costs least, within limits that
//      tighten until a plan fits (evaluator.h).
//   3. Descent. When that fails too, single groups are moved off the devices that are over, each to
//      where the simulator says fewest bytes are, as long as that helps: at most 500 evaluations or
//      ten million simulated ops.
//   4. At last everything on one device, each tried (single.h): whatever `single` can do is found.
//
// A round is O(groups x devices + edges) and one evaluation. It is a heuristic for a problem that
// contains bin packing: it may fail although a plan that fits exists.
#pragma once

#include "place/evaluator.h"
#include "place/groups/group_devices.h"

namespace berth::place {

// What a placer that repairs works with; built once a run.
struct RepairInputs {
  const Problem& problem;
  const GroupGraph& graph;
  const GroupCosts& costs;
};

// Considers plans derived from `devices`, whose outcome is `outcome` (infeasible). The evaluator
// keeps the best. Returns true when one fits.
bool repair_memory(const RepairInputs& inputs, Evaluator& evaluator, GroupDevices devices,
                   const Outcome& outcome);

}  // namespace berth::place
