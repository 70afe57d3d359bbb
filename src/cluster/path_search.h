// The best paths from one device to all others over links of at least a given bandwidth: fewest
// links, then least latency, then the smallest list of link indices. This is the inner search of
// the RouteFinder (routes.h).
//
// Breadth first: levels of equal hop count are built one after the other. The switches of a level
// are kept in the order of their lists of links, and links are tried in order of index. So of
// candidates with the same latency, the first one found has the smallest list, and lists are never
// compared.
//
// Latencies are sums of doubles, rounded at every link. Rounding is monotone (a prefix with less
// latency never ends later), so the least latency is found by keeping only the best prefix. But two
// prefixes of different latency may round to the same total, and then the smaller list wins even if
// its prefix is slower. Such near ties are detected, and the paths of a search that has one are
// found by a second, exact method: backwards from the target, compute the latest arrival at each
// switch that still gives the least total; then forwards, take the smallest link that keeps to it.
//
// A search takes time linear in the links it sees. An exact path takes time linear in the links of
// the shortest paths to its target.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cluster/cluster.h"

namespace berth {

// One direction of a link, from the vertex under which it is listed.
struct Arc {
  std::uint32_t vertex;   // where it leads
  std::uint32_t channel;  // as in Route
  double bandwidth;
  double latency_seconds;
};

// The arcs of every vertex, in order of link index.
class Arcs {
 public:
  explicit Arcs(const Cluster& cluster);
  std::span<const Arc> of(std::uint32_t vertex) const {
    return {arcs_.data() + begin_[vertex], begin_[vertex + 1] - begin_[vertex]};
  }

 private:
  std::vector<std::size_t> begin_;
  std::vector<Arc> arcs_;
};

class PathSearch {
 public:
  PathSearch(const Arcs& arcs, std::size_t device_count, std::size_t vertex_count);

  // Finds the best paths from `source` over links of at least `minimum_bandwidth`.
  void run(std::uint32_t source, double minimum_bandwidth);

  // Of the last run: the best path to a device other than the source, which must be reached.
  bool reached(std::uint32_t target) const { return hops_[target] != kUnreached; }
  double latency_seconds(std::uint32_t target) const { return latency_[target]; }
  double bottleneck(std::uint32_t target);
  void append_channels(std::uint32_t target, std::vector<std::uint32_t>& channels);

 private:
  static constexpr std::uint32_t kUnreached = 0xffffffffu;

  bool is_switch(std::uint32_t vertex) const { return vertex >= device_count_; }
  void expand(std::uint32_t vertex, std::uint32_t level);
  // Calls visit(arc) along the path of the exact method.
  template <class Visit>
  void walk_exactly(std::uint32_t target, Visit visit);
  void limit_prefixes(std::uint32_t target);

  const Arcs& arcs_;
  std::size_t device_count_;
  std::uint32_t source_ = 0;
  double minimum_bandwidth_ = 0;
  double smallest_gap_ = 0;  // between different latencies that competed for one switch
  bool had_near_tie_ = false;

  // By vertex.
  std::vector<std::uint32_t> hops_;
  std::vector<double> latency_;
  std::vector<double> bottleneck_;
  std::vector<std::uint32_t> before_;   // the vertex before it on the best path
  std::vector<std::uint32_t> channel_;  // the channel from there
  std::vector<std::uint32_t> rank_;     // position in its level
  std::vector<double> limit_;           // latest useful arrival; negative when on no such path

  std::vector<std::uint32_t> level_;
  std::vector<std::uint32_t> next_level_;
  std::vector<std::uint32_t> limited_;  // vertices whose limit is set
};

}  // namespace berth
