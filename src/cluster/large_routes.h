// Routes of clusters that are too large for a table of all pairs of devices: 16,384 devices have
// 268 million pairs. Two ways, both exact:
//
//  1. Where the switches form trees (hosts behind one network, with whatever switches of their own
//     inside; devices may hang on several trees), two switches are joined by one path or none. The
//     candidates for a route are then few: a link of the one device, the path in the tree, a link
//     of the other. They are compared when asked for. Memory is linear in the cluster.
//  2. Otherwise devices that hang on the same switches by like links, in the same order, have like
//     routes: only the first and the last link differ. A table of all pairs of such classes holds
//     what is between. Eight GPUs behind a switch are one class. Where the classes are too many
//     for the table, the cluster is refused with a sentence.
//
// Like classes have like routes because devices do not forward: replacing the first link of every
// path from one device by that of the other changes no bandwidth, latency or length, and, with the
// links in the same order, no comparison of link indices either. A device with a link to another
// device is a class of its own.
#pragma once

#include <memory>

#include "cluster/cluster.h"

namespace berth {

// Up to here the routes of all pairs are kept: some 40 MB.
inline constexpr std::size_t kMostTabledDevices = 1024;

class LargeRoutes {
 public:
  virtual ~LargeRoutes() = default;
  // Of two different devices.
  virtual Route find(DeviceId from, DeviceId to) const = 0;
};

// Throws ClusterError when neither way will do.
std::unique_ptr<const LargeRoutes> make_large_routes(const Cluster& cluster);

}  // namespace berth
