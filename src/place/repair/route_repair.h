// Makes a placement legal on a cluster where some pairs of devices have no route.
//
// Two neighbouring groups must sit on one device or on two that reach one another. Finding such a
// placement under pins is a constraint satisfaction problem, NP-complete in general and easy in
// practice. Solved by search that keeps the neighbours consistent: every group has a set of devices
// still possible; when a group is decided, devices that none of the neighbour's remaining ones
// reaches are struck out, and so on through the graph. A set that runs empty takes the last
// decision back. A group prefers the device it was given, then the one that most bytes of its
// decided neighbours are on, so what was legal stays where it was.
//
// O(edges x devices) when nothing must be taken back. After 2,000 decisions taken back the wish is
// dropped and each device in turn (the first 16) is tried as everyone's wish; after that it gives
// up, so it may miss a legal placement that exists. Pins that contradict one another outright are
// found at once.
//
// Reference: Sabin and Freuder, "Contradicting conventional wisdom in constraint satisfaction",
// ECAI 1994 (search maintaining arc consistency).
#pragma once

#include "place/groups/group_devices.h"

namespace berth::place {

// Changes `devices` (all allowed) as little as it can so that every tensor that travels has a
// route. Returns false, leaving them as they were, when it found no way. Only reads routes when the
// cluster has all of them.
bool repair_routes(const Problem& problem, const GroupGraph& graph, GroupDevices& devices);

}  // namespace berth::place
