// Finds the route of every ordered pair of devices (see Route in cluster.h): the path through
// switches with the widest bottleneck, then the fewest links, then the least latency, then the
// smallest list of link indices.
//
// The first two of these do not go together in one search: a wider prefix may be longer, and the
// narrower, shorter one is the right start once a later link is narrow anyway. So, from each
// source:
//   1. the widest bottleneck W(t) to every target t, by Dijkstra's algorithm on bottlenecks;
//   2. the shortest paths over all links. Where such a path is as wide as W(t) it is the route,
//      since every competitor is at most as wide; in the topologies people have, this is all;
//   3. for the others, once for every distinct W, the shortest paths over links of at least W.
//
// Time is O(devices x links) for steps 1 and 2, and O(links) for every distinct width of step 3.
// Memory is linear in the links and in the total length of the routes, which is what limits the
// number of devices (kMostRoutes).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "cluster/cluster.h"
#include "cluster/path_search.h"

namespace berth {

class RouteFinder {
 public:
  explicit RouteFinder(Cluster& cluster);

  // Fills in the routes of the cluster. Throws InputError when there are too many to hold.
  void find_all();

 private:
  void find_widths(std::uint32_t source);
  void find_from(std::uint32_t source);
  void record(std::uint32_t source, std::uint32_t target);

  Cluster& cluster_;
  Arcs arcs_;
  PathSearch search_;
  std::vector<double> width_;                            // W by vertex; 0 when there is no path
  std::vector<std::pair<double, std::uint32_t>> queue_;  // heap of (width, switch)
  std::vector<std::uint32_t> narrow_;                    // targets left to step 3
};

}  // namespace berth
