// round_robin: groups assigned to the accelerators in turn.
//
// Colocation groups in topological order (by their first op) go to accelerator 0, 1, 2, ... and so
// on cyclically. A group that may not use the device whose turn it is goes to the next one that it
// may use, and to its fastest allowed device when no accelerator is allowed. Groups of ops that
// cost nothing (inputs, weights, views of these) are not assigned in turn: they go with the first
// op that reads them. Work is spread evenly by count, and nearly every edge is cut, so any good
// method should be far better.
//
// A plan that does not fit is repaired (memory_repair.h). Where some accelerators have no route to
// one another, only the largest set that has is used; routes that pins still break are repaired
// (route_repair.h). O(ops x log) and one evaluation, a few more when it must be repaired.
#pragma once

#include "place/placer.h"

namespace berth::place {

Placer round_robin_placer();

}  // namespace berth::place
