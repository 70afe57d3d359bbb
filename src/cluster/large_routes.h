// Routes of clusters that are too large for a table of all pairs of devices: 16,384 devices have
// 268 million pairs. There are two methods, both exact:
//
//  1. The switches form trees (hosts on one network, each with any switches inside; a device may be
//     connected to several trees). Then two switches are joined by one path or none, and a route
//     has few candidates: a link of the one device, the path in the tree, a link of the other
//     device. They are compared when a route is asked for. Memory is linear in the cluster.
//  2. Otherwise, devices that are connected to the same switches by equal links, in the same order,
//     form a class. Their routes differ only in the first and the last link. A table of all pairs
//     of classes holds the links between. Eight GPUs at one switch are one class. If there are too
//     many classes for the table, the cluster is refused with a sentence.
//
// Equal classes have equal routes because devices do not forward: replacing the first link of every
// path from one device by that of the other changes no bandwidth, latency or length, and, with the
// links in the same order, no comparison of link indices either. A device with a link to another
// device is a class of its own.
#pragma once

#include <memory>

#include "cluster/cluster.h"

namespace berth {

// Up to this many devices the routes of all pairs are kept: about 40 MB.
inline constexpr std::size_t kMostTabledDevices = 1024;

class LargeRoutes {
 public:
  virtual ~LargeRoutes() = default;
  // Of two different devices.
  virtual Route find(DeviceId from, DeviceId to) const = 0;
};

// Throws ClusterError when neither method applies.
std::unique_ptr<const LargeRoutes> make_large_routes(const Cluster& cluster);

}  // namespace berth
