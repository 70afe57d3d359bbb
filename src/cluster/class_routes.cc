#include "cluster/class_routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/units.h"
#include "cluster/routes.h"
#include "cluster/tree_routes.h"
#include "cluster/validation.h"

namespace berth {
namespace {

// Beyond it a clear sentence is better than an exhausted machine.
constexpr std::size_t kMostTableBytes = std::size_t{400} << 20;

[[noreturn]] void refuse(const Cluster& cluster, const std::string& why) {
  throw ClusterError(
      ClusterPart::whole, 0,
      fmt::format("the cluster has {} devices, and {}; Berth handles any {} devices, and more of "
                  "them, up to {}, where the switches form trees or where many devices hang on the "
                  "same switches",
                  format_count(cluster.device_count()), why, format_count(kMostTabledDevices),
                  format_count(kMostDevices)));
}

}  // namespace

ClassRoutes::ClassRoutes(const Cluster& cluster) : arcs_(cluster) {
  for (const Link& link : cluster.links()) is_duplex_.push_back(link.duplex);
  classify(cluster);
  fill_table(cluster);
}

void ClassRoutes::classify(const Cluster& cluster) {
  using Attachment = std::tuple<std::uint32_t, double, double>;  // switch, bandwidth, latency
  std::map<std::vector<Attachment>, std::uint32_t> classes;
  for (std::uint32_t device = 0; device < cluster.device_count(); ++device) {
    std::vector<Attachment> attachments;
    bool shares_class = true;
    for (const Arc& arc : arcs_.of(device)) {
      attachments.emplace_back(arc.vertex, arc.bandwidth, arc.latency_seconds);
      shares_class = shares_class && arc.vertex >= cluster.device_count();
    }
    std::uint32_t number = static_cast<std::uint32_t>(examples_.size());
    if (shares_class) number = classes.try_emplace(std::move(attachments), number).first->second;
    if (number == examples_.size()) examples_.emplace_back();
    if (examples_[number].size() < 2) examples_[number].push_back(device);
    class_of_.push_back(number);
  }
}

void ClassRoutes::fill_table(const Cluster& cluster) {
  const std::size_t count = examples_.size();
  const auto check_size = [&] {
    const std::size_t bytes =
        count * count * sizeof(Path) + channels_.size() * sizeof(channels_[0]);
    if (bytes <= kMostTableBytes) return;
    refuse(cluster, fmt::format("the routes between their {} different places in its network, "
                                "which has rings, do not fit in {}",
                                format_count(count), format_bytes(kMostTableBytes)));
  };
  check_size();
  paths_.resize(count * count);
  RouteFinder finder(cluster);
  std::vector<std::uint32_t> targets;
  for (std::size_t from = 0; from < count; ++from) {
    const std::uint32_t source = examples_[from].front();
    targets.clear();
    for (std::size_t to = 0; to < count; ++to) {
      if (to != from) targets.push_back(examples_[to].front());
      if (to == from && examples_[to].size() > 1) targets.push_back(examples_[to].back());
    }
    finder.find_from(source, targets, [&](const RouteFinder::Found& found) {
      const std::size_t length = found.channels.size();
      if (length > ChannelList::kMostHeld) {
        refuse(cluster, fmt::format("the route from {} to {} has {} links, more than {}",
                                    quoted(cluster.vertex_name(source)),
                                    quoted(cluster.vertex_name(found.target)), length,
                                    ChannelList::kMostHeld));
      }
      Path& path = paths_[from * count + class_of_[found.target]];
      path.latency_seconds = found.latency_seconds;
      path.bandwidth = found.bandwidth;
      path.begin = static_cast<std::uint32_t>(channels_.size());
      path.length = static_cast<std::uint32_t>(length);
      path.first_arc = arc_of_link(source, found.channels.front() / 2);
      if (length == 1) return;
      path.last_arc = arc_of_link(found.target, found.channels.back() / 2);
      channels_.insert(channels_.end(), found.channels.begin() + 1, found.channels.end() - 1);
    });
    if (from == 0) {  // doubling a list of this size would take half as much memory again
      channels_.reserve(std::min(channels_.size() * count * 5 / 4, kMostTableBytes / 4));
    }
    check_size();
  }
  channels_.shrink_to_fit();
}

std::uint32_t ClassRoutes::arc_of_link(std::uint32_t device, std::uint32_t link) const {
  const auto arcs = arcs_.of(device);
  const auto found = std::find_if(arcs.begin(), arcs.end(),
                                  [&](const Arc& arc) { return arc.channel / 2 == link; });
  return static_cast<std::uint32_t>(found - arcs.begin());
}

Route ClassRoutes::find(DeviceId from, DeviceId to) const {
  const Path& path = paths_[class_of_[from.index()] * examples_.size() + class_of_[to.index()]];
  Route route;
  if (path.length == 0) return route;
  route.latency_seconds = path.latency_seconds;
  route.bandwidth = path.bandwidth;
  const auto source = static_cast<std::uint32_t>(from.index());
  route.channels.push_back(arcs_.of(source)[path.first_arc].channel);
  if (path.last_arc == kNone) return route;
  for (std::uint32_t i = 0; i + 2 < path.length; ++i) {
    route.channels.push_back(channels_[path.begin + i]);
  }
  const std::uint32_t last =
      arcs_.of(static_cast<std::uint32_t>(to.index()))[path.last_arc].channel;
  route.channels.push_back(is_duplex_[last / 2] != 0 ? last ^ 1u : last);
  return route;
}

std::unique_ptr<const LargeRoutes> make_large_routes(const Cluster& cluster) {
  if (auto trees = TreeRoutes::build(cluster)) return trees;
  return std::make_unique<const ClassRoutes>(cluster);
}

}  // namespace berth
