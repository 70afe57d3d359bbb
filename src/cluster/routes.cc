#include "cluster/routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "cluster/validation.h"

namespace berth {
namespace {

// About 3 GB of table. Beyond it a clear sentence is better than an exhausted machine.
constexpr std::size_t kMostRoutes = std::size_t{1} << 27;

}  // namespace

RouteFinder::RouteFinder(Cluster& cluster)
    : cluster_(cluster),
      arcs_(cluster),
      search_(arcs_, cluster.device_count(), cluster.vertex_count()),
      width_(cluster.vertex_count()) {}

void RouteFinder::find_all() {
  const std::size_t count = cluster_.device_count();
  if (count * count > kMostRoutes) {
    throw ClusterError(ClusterPart::whole, 0,
                       fmt::format("the cluster has {} devices, and the routes of all pairs of "
                                   "them do not fit in memory; up "
                                   "to 11,585 devices do",
                                   count));
  }
  cluster_.paths_.assign(count * count, {});
  cluster_.channels_.clear();
  for (std::uint32_t source = 0; source < count; ++source) find_from(source);
}

void RouteFinder::find_widths(std::uint32_t source) {
  std::fill(width_.begin(), width_.end(), 0.0);
  const auto expand = [&](std::uint32_t vertex, double width) {
    for (const Arc& arc : arcs_.of(vertex)) {
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
    if (width == width_[vertex]) expand(vertex, width);  // else it was found wider since
  }
}

void RouteFinder::find_from(std::uint32_t source) {
  find_widths(source);
  search_.run(source, 0);
  narrow_.clear();
  for (std::uint32_t target = 0; target < cluster_.device_count(); ++target) {
    if (target == source || !search_.reached(target)) continue;
    if (search_.bottleneck(target) == width_[target])
      record(source, target);
    else
      narrow_.push_back(target);
  }
  std::sort(narrow_.begin(), narrow_.end(), [this](std::uint32_t a, std::uint32_t b) {
    return width_[a] != width_[b] ? width_[a] > width_[b] : a < b;
  });
  for (std::size_t i = 0; i < narrow_.size(); ++i) {
    const double width = width_[narrow_[i]];
    if (i == 0 || width != width_[narrow_[i - 1]]) search_.run(source, width);
    record(source, narrow_[i]);
  }
}

void RouteFinder::record(std::uint32_t source, std::uint32_t target) {
  std::vector<std::uint32_t>& channels = cluster_.channels_;
  const std::size_t begin = channels.size();
  search_.append_channels(target, channels);
  if (channels.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw ClusterError(ClusterPart::whole, 0,
                       fmt::format("the routes between the {} devices of the cluster pass more "
                                   "links in total than the 2^32 "
                                   "that fit; use fewer devices or switches",
                                   cluster_.device_count()));
  }
  cluster_.paths_[source * cluster_.device_count() + target] = {
      static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(channels.size() - begin),
      search_.latency_seconds(target), width_[target]};
}

}  // namespace berth
