// The first of the two methods of large_routes.h: routes where the switches form trees.
//
// Finding a route takes time linear in the product of the two devices' links (one to three each)
// and in the depth of the tree.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "cluster/large_routes.h"
#include "cluster/path_search.h"

namespace berth {

class TreeRoutes : public LargeRoutes {
 public:
  // Nothing where the switches do not form trees, or trees so deep that a route may have more
  // links than fit a ChannelList.
  static std::unique_ptr<const TreeRoutes> build(const Cluster& cluster);

  Route find(DeviceId from, DeviceId to) const override;

 private:
  // A switch, with its way up the tree; the root has none.
  struct Place {
    std::uint32_t tree = 0;
    std::uint32_t depth = 0;
    std::uint32_t above = 0;
    std::uint32_t up_channel = 0;
    std::uint32_t down_channel = 0;
    double bandwidth = 0;
    double latency_seconds = 0;
  };

  explicit TreeRoutes(const Cluster& cluster);
  bool grow_trees(const Cluster& cluster);
  const Place& place(std::uint32_t vertex) const { return places_[vertex - device_count_]; }
  // From a device over its arc, through the tree, and over the arc of the other device, backwards.
  Route path_between(const Arc& first, const Arc& last) const;

  std::uint32_t device_count_;
  Arcs arcs_;
  std::vector<Place> places_;            // by switch
  std::vector<std::uint8_t> is_duplex_;  // by link
};

}  // namespace berth
