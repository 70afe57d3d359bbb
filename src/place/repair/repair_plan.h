// Makes a plan whole again after its cluster has lost devices: what was on them is placed anew, and
// nothing else moves. It is the start of a search, so it is quick rather than good.
//
// Colocation groups that cost time go first, in topological order, each where the device would be
// done soonest if all its work came in one piece:
//   seconds of the groups on the device + seconds of this one + bytes from and to placed neighbours
//   on other devices / bandwidth
// of the devices it may use that have routes to these neighbours and room by estimate. Groups that
// cost nothing (weights, views) follow to where the bytes of their neighbours are. The same is done
// with all groups wishing for one device, for the least loaded devices in turn: a lost stage of a
// pipeline had better stay in one piece. The simulator picks the best; when none fits, the estimate
// is made tighter, at most four times.
//
// Where no device has routes to all placed neighbours, groups of other devices may have to move too
// (route_repair.h). A fused group that would be torn apart is dropped.
//
// O(candidates x (groups x devices + edges)) and one simulation a candidate, at most about a
// hundred, and fewer of a large graph.
#pragma once

#include "plan/plan.h"

namespace berth::place {

// The placement has none where the device is lost, for whole colocation groups.
Plan repair_plan(const Problem& problem, Plan plan);

}  // namespace berth::place
