// The second of the two methods of large_routes.h: a table of the routes between classes of devices
// that are connected to the same switches by equal links.
//
// A switch may itself be connected to one other switch, as the switch of a host is to the network.
// If its devices have no other link, every path out of the host uses that uplink. So the devices of
// all such hosts at one network switch form one class, if their links and uplinks are equal. Only a
// route between two devices of the same host differs: it consists of their two links.
//
// Building the table takes one or two searches (routes.h) per class. It holds 32 bytes per pair of
// classes, and 4 bytes per inner link of their route.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "cluster/large_routes.h"
#include "cluster/path_search.h"
#include "cluster/routes.h"

namespace berth {

class ClassRoutes : public LargeRoutes {
 public:
  // Throws ClusterError when the table would be too large.
  explicit ClassRoutes(const Cluster& cluster);

  Route find(DeviceId from, DeviceId to) const override;

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;

  // A route without its end links. These are given as positions among the links of the two devices.
  struct Path {
    double latency_seconds = 0;
    double bandwidth = 0;
    std::uint32_t begin = 0;
    std::uint32_t length = 0;        // of the whole route; 0 when there is none
    std::uint32_t first_arc = 0;     // of the source
    std::uint32_t last_arc = kNone;  // of the target; none when there is a single link
  };

  void find_hosts(const Cluster& cluster);
  void classify(const Cluster& cluster);
  void fill_table(const Cluster& cluster);
  void record(const Cluster& cluster, std::uint32_t source, const RouteFinder::Found& found);
  void check_size(const Cluster& cluster) const;
  std::uint32_t arc_of_link(std::uint32_t device, std::uint32_t link) const;
  std::uint32_t way_back(std::uint32_t channel) const {
    return is_duplex_[channel / 2] != 0 ? channel ^ 1u : channel;
  }
  // Links at the end of a route that depend on the device: its own, and that of its host.
  std::size_t end_links(std::uint32_t device) const { return host_of_[device] == kNone ? 1 : 2; }

  Arcs arcs_;
  std::vector<std::uint8_t> is_duplex_;               // by link
  std::vector<std::uint32_t> host_of_;                // by device: the switch of its host, or none
  std::vector<std::uint32_t> up_channel_;             // by vertex: from a host to the network
  std::vector<std::uint32_t> class_of_;               // by device
  std::vector<std::vector<std::uint32_t>> examples_;  // by class: up to two, of different hosts
  std::vector<Path> paths_;                           // class x class
  std::vector<std::uint32_t> channels_;
};

}  // namespace berth
