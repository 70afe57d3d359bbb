#include "cluster/routes.h"

#include <algorithm>
#include <limits>

namespace berth {

RouteFinder::RouteFinder(const Cluster& cluster)
    : cluster_(cluster),
      arcs_(cluster),
      search_(arcs_, cluster.device_count(), cluster.vertex_count()),
      width_(cluster.vertex_count()) {}

void RouteFinder::find_widths(std::uint32_t source) {
  std::fill(width_.begin(), width_.end(), 0.0);
  const auto expand = [&](std::uint32_t vertex, double width) {
    for (const Arc& arc : arcs_.of(vertex)) {
      // Dijkstra's algorithm with minimum and maximum in the place of sum and minimum.
      const double through = std::min(width, arc.bandwidth);
      if (through <= width_[arc.vertex]) continue;
      width_[arc.vertex] = through;
      if (arc.vertex < cluster_.device_count()) continue;  // devices do not forward
      queue_.emplace_back(through, arc.vertex);
      std::push_heap(queue_.begin(), queue_.end());
    }
  };
  expand(source, std::numeric_limits<double>::infinity());
  while (!queue_.empty()) {
    std::pop_heap(queue_.begin(), queue_.end());
    const auto [width, vertex] = queue_.back();
    queue_.pop_back();
    if (width == width_[vertex]) expand(vertex, width);  // otherwise it has been found wider since
  }
}

void RouteFinder::find_from(std::uint32_t source, std::span<const std::uint32_t> targets,
                            const Visit& visit) {
  find_widths(source);
  search_.run(source, 0);
  narrow_.clear();
  for (const std::uint32_t target : targets) {
    if (!search_.reached(target)) continue;
    // Exact: both are one of the bandwidths, never computed.
    if (search_.bottleneck(target) == width_[target])
      report(target, visit);
    else
      narrow_.push_back(target);
  }
  // Targets of equal width next to each other share one search.
  std::sort(narrow_.begin(), narrow_.end(), [this](std::uint32_t a, std::uint32_t b) {
    return width_[a] != width_[b] ? width_[a] > width_[b] : a < b;
  });
  for (std::size_t i = 0; i < narrow_.size(); ++i) {
    const double width = width_[narrow_[i]];
    if (i == 0 || width != width_[narrow_[i - 1]]) search_.run(source, width);
    report(narrow_[i], visit);
  }
}

void RouteFinder::report(std::uint32_t target, const Visit& visit) {
  channels_.clear();
  search_.append_channels(target, channels_);
  visit({target, channels_, search_.latency_seconds(target), width_[target]});
}

}  // namespace berth
