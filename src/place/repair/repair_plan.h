// Completes a plan after its cluster has lost devices: what was on them is placed again, and
// nothing else moves. It is the start of a search, so it has to be quick rather than good.
//
// Colocation groups that cost time go first, in topological order, each to the device with the
// least
//
//   seconds of the groups on the device + seconds of this one + bytes from and to placed
//   neighbours on other devices / bandwidth
//
// among the devices it may use that have routes to these neighbours and room by estimate. Groups
// that cost nothing (weights, views) then follow the bytes of their neighbours. The same is
// repeated with one preferred device for all groups, for the least loaded devices in turn: a lost
// pipeline stage is better kept in one piece. The best is chosen by simulation. When none fits, the
// memory limits of the estimate are tightened, at most four times.
//
// Where no device has routes to all placed neighbours, groups of other devices may have to move too
// (route_repair.h). A fused group whose ops end up on different devices is dissolved.
//
// O(candidates x (groups x devices + edges)) and one simulation per candidate: at most about a
// hundred, fewer for a large graph.
#pragma once

#include "plan/plan.h"

namespace berth::place {

// The placement has no device where it is lost, for whole colocation groups.
Plan repair_plan(const Problem& problem, Plan plan);

}  // namespace berth::place
