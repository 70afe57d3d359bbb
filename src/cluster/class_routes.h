// The second of the two ways of large_routes.h: a table of the routes between classes of devices
// that hang on the same switches by like links.
//
// Building it takes one search (routes.h) a class. It holds 32 bytes a pair of classes, and four a
// link between the first and the last of their route.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "cluster/large_routes.h"
#include "cluster/path_search.h"

namespace berth {

class ClassRoutes : public LargeRoutes {
 public:
  // Throws ClusterError when the table would be too large.
  explicit ClassRoutes(const Cluster& cluster);

  Route find(DeviceId from, DeviceId to) const override;

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;

  // A route without its ends, which are given as the number of the link among those of the device.
  struct Path {
    double latency_seconds = 0;
    double bandwidth = 0;
    std::uint32_t begin = 0;
    std::uint32_t length = 0;        // of the whole route; 0 when there is none
    std::uint32_t first_arc = 0;     // of the source
    std::uint32_t last_arc = kNone;  // of the target; none when there is a single link
  };

  void classify(const Cluster& cluster);
  void fill_table(const Cluster& cluster);
  std::uint32_t arc_of_link(std::uint32_t device, std::uint32_t link) const;

  Arcs arcs_;
  std::vector<std::uint8_t> is_duplex_;               // by link
  std::vector<std::uint32_t> class_of_;               // by device
  std::vector<std::vector<std::uint32_t>> examples_;  // by class: up to two of its devices
  std::vector<Path> paths_;                           // class x class
  std::vector<std::uint32_t> channels_;
};

}  // namespace berth
