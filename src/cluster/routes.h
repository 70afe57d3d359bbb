// Finds the routes from a device to others (see Route in cluster.h): the path through switches with
// the widest bottleneck, then the fewest links, then the least latency, then the smallest list of
// link indices.
//
// The first two criteria cannot be combined in one search: a wider prefix may be longer, and a
// narrower, shorter prefix is the better start if a later link is narrow anyway. So, from each
// source:
//
//   1. the widest bottleneck W(t) to every target t, by Dijkstra's algorithm on bottlenecks;
//   2. the shortest paths over all links. Where such a path is as wide as W(t) it is the route,
//      since no other path is wider. In common topologies this is all;
//   3. for the other targets, once per distinct W, the shortest paths over links of at least W.
//
// Time is O(links log links) per source for steps 1 and 2, and O(links) per distinct width of step
// 3. Memory is linear in the links.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "cluster/cluster.h"
#include "cluster/path_search.h"

namespace berth {

class RouteFinder {
 public:
  // The cluster must outlive this; its routes need not be known.
  explicit RouteFinder(const Cluster& cluster);

  // Called once per route that exists. The list of channels is valid during the call.
  struct Found {
    std::uint32_t target;
    std::span<const std::uint32_t> channels;
    double latency_seconds;
    double bandwidth;
  };
  using Visit = std::function<void(const Found&)>;
  // From a device to each of `targets`, none of which is the source.
  void find_from(std::uint32_t source, std::span<const std::uint32_t> targets, const Visit& visit);

 private:
  void find_widths(std::uint32_t source);
  void report(std::uint32_t target, const Visit& visit);

  const Cluster& cluster_;
  Arcs arcs_;
  PathSearch search_;
  std::vector<double> width_;                            // W by vertex; 0 when there is no path
  std::vector<std::pair<double, std::uint32_t>> queue_;  // heap of (width, switch)
  std::vector<std::uint32_t> narrow_;                    // targets left to step 3
  std::vector<std::uint32_t> channels_;
};

}  // namespace berth
