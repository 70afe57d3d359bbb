// Makes a placement legal on a cluster where some pairs of devices have no route.
//
// Two neighbouring groups must be on one device or on two that reach one another. To find such a
// placement under pins is a constraint satisfaction problem, NP-complete in general and easy in
// practice. It is solved by search that maintains arc consistency. Every group has a set of devices
// that are still possible. When a group is decided, devices of its neighbours that none of its
// remaining devices reaches are removed, and so on through the graph. When a set becomes empty, the
// last decision is taken back. A group prefers the device it was given, then the one with the most
// bytes of its decided neighbours, so what was legal stays where it was.
//
// O(edges x devices) when nothing has to be taken back. After 2,000 decisions taken back, the given
// devices are dropped and each device in turn (the first 16) is tried as the preferred one of all
// groups. After that it gives up, so it may miss a legal placement. Pins that contradict one
// another directly are found at once.
//
// Reference: Sabin and Freuder, "Contradicting conventional wisdom in constraint satisfaction",
// ECAI 1994 (search maintaining arc consistency).
#pragma once

#include "place/groups/group_devices.h"

namespace berth::place {

// Changes `devices` (all allowed) as little as it can so that every tensor that is sent has a
// route. Returns false, and leaves them as they were, when it finds no way. Changes nothing when
// all needed routes exist.
bool repair_routes(const Problem& problem, const GroupGraph& graph, GroupDevices& devices);

}  // namespace berth::place
