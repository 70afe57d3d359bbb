// Makes a placement fit in memory by moving groups off over-full devices.
//
// Placers that look only at work and at bytes on edges (partitioners, round robin, random) do not
// see memory. When the simulated plan does not fit, this moves groups until it does:
//
//   1. Rounds of moves. From a device that is over by N bytes, groups are moved away until their
//      relief adds up to N, first those that cost the least time per byte:
//        (seconds there - seconds here + bytes cut by the move / bandwidth) / relief
//      The relief of a group is its parameters and a share of its outputs. The share comes from the
//      last simulation: (peak of the device - parameters) / sum of outputs there. A group may only
//      go where it is allowed, has routes to its neighbours and has room by the same estimate. Then
//      the plan is simulated again: at most 16 rounds, fewer when 4 in a row do not help.
//   2. Refilling. If that fails, all groups are packed again, the largest first, each on the device
//      it was on if it has room there, else where it costs least, within limits that are tightened
//      until a plan fits (evaluator.h).
//   3. Descent. If that fails too, single groups are moved off the devices that are over, each to
//      where the simulation has the fewest bytes over, as long as that helps: at most 500
//      evaluations or ten million simulated ops.
//   4. Last, everything on one device, for each device (single.h): a plan that `single` can find is
//      always found.
//
// A round is O(groups x devices + edges) and one evaluation. This is a heuristic for a problem that
// contains bin packing: it may fail although a plan that fits exists.
#pragma once

#include "place/evaluator.h"
#include "place/groups/group_devices.h"

namespace berth::place {

// What repair needs from its caller; built once per run.
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
