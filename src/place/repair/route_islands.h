// Sets of devices that all reach one another.
//
// A cluster may have pairs of devices without a route. A heuristic that places one op at a time can
// then get stuck: two tensors on devices such that no device is reached by both. Within an island
// this cannot happen, so placers fall back to one when their first plan lacks a route. Pins may
// still make it impossible.
#pragma once

#include <vector>

#include "cluster/cluster.h"

namespace berth::place {

// Islands that cannot be extended, found greedily in device order from each of the first 16 devices
// as seed; distinct, the larger first. One island with every device when all pairs have a route.
// O(links) where all devices are on one network of switches, else O(seeds x devices^2).
std::vector<std::vector<DeviceId>> route_islands(const Cluster& cluster);

}  // namespace berth::place
