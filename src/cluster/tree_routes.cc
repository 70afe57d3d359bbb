#include "cluster/tree_routes.h"

#include <algorithm>
#include <limits>

namespace berth {
namespace {

constexpr std::uint32_t kNoTree = 0xffffffffu;
// Up and down a tree of this depth, with the links of both devices, just fits a ChannelList.
constexpr std::uint32_t kDeepest = (ChannelList::kMostHeld - 2) / 2;

bool smaller_links(const ChannelList& left, const ChannelList& right) {
  return std::lexicographical_compare(
      left.begin(), left.end(), right.begin(), right.end(),
      [](std::uint32_t one, std::uint32_t other) { return one / 2 < other / 2; });
}

// By the order of routes (routes.h).
bool better(const Route& left, const Route& right) {
  if (!right.exists()) return true;
  if (left.bandwidth != right.bandwidth) return left.bandwidth > right.bandwidth;
  if (left.channels.size() != right.channels.size())
    return left.channels.size() < right.channels.size();
  if (left.latency_seconds != right.latency_seconds)
    return left.latency_seconds < right.latency_seconds;
  return smaller_links(left.channels, right.channels);
}

void extend(Route& route, std::uint32_t channel, double bandwidth, double latency_seconds) {
  route.channels.push_back(channel);
  route.latency_seconds += latency_seconds;
  route.bandwidth = std::min(route.bandwidth, bandwidth);
}

}  // namespace

std::unique_ptr<const TreeRoutes> TreeRoutes::build(const Cluster& cluster) {
  std::unique_ptr<TreeRoutes> routes(new TreeRoutes(cluster));
  if (!routes->grow_trees(cluster)) return nullptr;
  return routes;
}

TreeRoutes::TreeRoutes(const Cluster& cluster)
    : device_count_(static_cast<std::uint32_t>(cluster.device_count())),
      arcs_(cluster),
      places_(cluster.switches().size(), Place{.tree = kNoTree}) {
  for (const Link& link : cluster.links()) is_duplex_.push_back(link.duplex);
}

// Breadth first from every switch that is not in a tree yet. A link to a switch that has been
// reached already, and is not the one above, closes a cycle.
bool TreeRoutes::grow_trees(const Cluster& cluster) {
  const auto channel_back = [&](const Arc& arc) {
    return is_duplex_[arc.channel / 2] != 0 ? arc.channel ^ 1u : arc.channel;
  };
  std::vector<std::uint32_t> queue;
  const auto vertices = static_cast<std::uint32_t>(cluster.vertex_count());
  for (std::uint32_t root = device_count_; root < vertices; ++root) {
    if (place(root).tree != kNoTree) continue;
    places_[root - device_count_].tree = root;
    queue.assign(1, root);
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const std::uint32_t vertex = queue[i];
      const Place here = place(vertex);
      for (const Arc& arc : arcs_.of(vertex)) {
        if (arc.vertex < device_count_) continue;
        // By channel, not by vertex: a second link to the same switch closes a cycle too.
        if (vertex != root && arc.channel == here.up_channel) continue;
        Place& next = places_[arc.vertex - device_count_];
        if (next.tree != kNoTree || here.depth == kDeepest) return false;
        next = {.tree = root,
                .depth = here.depth + 1,
                .above = vertex,
                .up_channel = channel_back(arc),
                .down_channel = arc.channel,
                .bandwidth = arc.bandwidth,
                .latency_seconds = arc.latency_seconds};
        queue.push_back(arc.vertex);
      }
    }
  }
  return true;
}

Route TreeRoutes::path_between(const Arc& first, const Arc& last) const {
  Route route;
  route.bandwidth = std::numeric_limits<double>::infinity();
  extend(route, first.channel, first.bandwidth, first.latency_seconds);
  std::uint32_t from = first.vertex;
  std::uint32_t to = last.vertex;
  std::uint32_t down[kDeepest];
  std::size_t steps_down = 0;
  // The deeper end moves up until both meet. Steps down are collected, as latencies must be summed
  // in the order of travel.
  while (from != to) {
    if (place(from).depth >= place(to).depth) {
      const Place& step = place(from);
      extend(route, step.up_channel, step.bandwidth, step.latency_seconds);
      from = step.above;
    } else {
      down[steps_down++] = to;
      to = place(to).above;
    }
  }
  while (steps_down > 0) {
    const Place& step = place(down[--steps_down]);
    extend(route, step.down_channel, step.bandwidth, step.latency_seconds);
  }
  const bool duplex = is_duplex_[last.channel / 2] != 0;
  extend(route, duplex ? last.channel ^ 1u : last.channel, last.bandwidth, last.latency_seconds);
  return route;
}

Route TreeRoutes::find(DeviceId from, DeviceId to) const {
  Route best;
  const auto source = static_cast<std::uint32_t>(from.index());
  const auto target = static_cast<std::uint32_t>(to.index());
  for (const Arc& first : arcs_.of(source)) {
    // Devices may also be joined directly.
    if (first.vertex == target) {
      Route direct;
      direct.bandwidth = std::numeric_limits<double>::infinity();
      extend(direct, first.channel, first.bandwidth, first.latency_seconds);
      if (better(direct, best)) best = direct;
    }
    if (first.vertex < device_count_) continue;
    for (const Arc& last : arcs_.of(target)) {
      if (last.vertex < device_count_ || place(first.vertex).tree != place(last.vertex).tree)
        continue;
      const Route route = path_between(first, last);
      if (better(route, best)) best = route;
    }
  }
  return best;
}

}  // namespace berth
