#include "cluster/class_routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/quantity.h"
#include "cluster/routes.h"
#include "cluster/tree_routes.h"
#include "cluster/validation.h"

namespace berth {
namespace {

// A larger table is refused with a sentence, before the machine runs out of memory.
constexpr std::size_t kMostTableBytes = std::size_t{400} << 20;

[[noreturn]] void refuse(const Cluster& cluster, const std::string& why) {
  throw ClusterError(
      ClusterPart::whole, 0,
      fmt::format(
          "the cluster has {} devices, and {}; Berth handles {} devices joined in any way, and up "
          "to {} where the switches form trees or many devices are on the same switches",
          format_count(cluster.device_count()), why, format_count(kMostTabledDevices),
          format_count(kMostDevices)));
}

}  // namespace

ClassRoutes::ClassRoutes(const Cluster& cluster) : arcs_(cluster) {
  for (const Link& link : cluster.links()) is_duplex_.push_back(link.duplex);
  find_hosts(cluster);
  classify(cluster);
  fill_table(cluster);
}

void ClassRoutes::find_hosts(const Cluster& cluster) {
  const auto devices = static_cast<std::uint32_t>(cluster.device_count());
  std::vector<std::uint32_t> above(cluster.vertex_count(), kNone);  // the network of a host
  up_channel_.assign(cluster.vertex_count(), kNone);
  for (std::uint32_t vertex = devices; vertex < cluster.vertex_count(); ++vertex) {
    std::size_t others = 0;  // links that lead out of the host
    for (const Arc& arc : arcs_.of(vertex)) {
      if (arc.vertex < devices) {
        // A device with further links is another way out of the host.
        others += arcs_.of(arc.vertex).size() - 1;
        continue;
      }
      ++others;
      above[vertex] = arc.vertex;
      up_channel_[vertex] = arc.channel;
    }
    if (others != 1) above[vertex] = kNone;
  }
  host_of_.assign(devices, kNone);
  for (std::uint32_t device = 0; device < devices; ++device) {
    if (arcs_.of(device).size() != 1) continue;
    const std::uint32_t host = arcs_.of(device).front().vertex;
    if (host < devices || above[host] == kNone) continue;
    // Two switches that are each other's only neighbour are not a host on a network.
    if (above[above[host]] == kNone) host_of_[device] = host;
  }
}

void ClassRoutes::classify(const Cluster& cluster) {
  using Attachment = std::tuple<std::uint32_t, double, double>;  // switch, bandwidth, latency
  std::map<std::vector<Attachment>, std::uint32_t> classes;
  for (std::uint32_t device = 0; device < cluster.device_count(); ++device) {
    std::vector<Attachment> attachments;
    bool shares_class = true;
    const std::uint32_t host = host_of_[device];
    for (const Arc& arc : arcs_.of(device)) {
      attachments.emplace_back(host == kNone ? arc.vertex : kNone, arc.bandwidth,
                               arc.latency_seconds);
      shares_class = shares_class && arc.vertex >= cluster.device_count();
    }
    if (host != kNone) {
      for (const Arc& arc : arcs_.of(host)) {
        if (arc.channel == up_channel_[host])
          attachments.emplace_back(arc.vertex, arc.bandwidth, arc.latency_seconds);
      }
    }
    // A device with a link to another device is never put in the map, so its class stays its own.
    auto number = static_cast<std::uint32_t>(examples_.size());
    if (shares_class) number = classes.try_emplace(std::move(attachments), number).first->second;
    if (number == examples_.size()) examples_.emplace_back();
    std::vector<std::uint32_t>& examples = examples_[number];
    // Two examples, because the route between two devices of one class differs from all others if
    // they are in the same host.
    const bool another =
        examples.size() == 1 && (host == kNone || host != host_of_[examples.front()]);
    if (examples.empty() || another) examples.push_back(device);
    class_of_.push_back(number);
  }
}

void ClassRoutes::check_size(const Cluster& cluster) const {
  const std::size_t count = examples_.size();
  const std::size_t bytes = count * count * sizeof(Path) + channels_.size() * sizeof(channels_[0]);
  if (bytes <= kMostTableBytes) return;
  refuse(cluster, fmt::format("the routes between their {} different places in its network, "
                              "which has rings, do not fit in {}",
                              format_count(count), format_bytes(kMostTableBytes)));
}

// From the first example of a class to one of every class that is not in the same host. Classes
// that have no example elsewhere are then reached from the second example.
void ClassRoutes::fill_table(const Cluster& cluster) {
  const std::size_t count = examples_.size();
  check_size(cluster);
  paths_.resize(count * count);
  RouteFinder finder(cluster);
  std::vector<std::uint32_t> targets;
  std::vector<std::uint8_t> done(count);
  for (std::size_t from = 0; from < count; ++from) {
    std::fill(done.begin(), done.end(), std::uint8_t{0});
    for (const std::uint32_t source : examples_[from]) {
      targets.clear();
      for (std::size_t to = 0; to < count; ++to) {
        for (const std::uint32_t target : examples_[to]) {
          const bool together = target == source ||
                                (host_of_[target] != kNone && host_of_[target] == host_of_[source]);
          if (done[to] != 0 || together) continue;
          targets.push_back(target);
          done[to] = 1;
        }
      }
      if (targets.empty()) continue;
      finder.find_from(source, targets,
                       [&](const RouteFinder::Found& found) { record(cluster, source, found); });
    }
    // Growing a list of this size by doubling would take half as much memory again.
    if (from == 0) {
      channels_.reserve(std::min(channels_.size() * count * 5 / 4, kMostTableBytes / 4));
    }
    check_size(cluster);
  }
  channels_.shrink_to_fit();
}

void ClassRoutes::record(const Cluster& cluster, std::uint32_t source,
                         const RouteFinder::Found& found) {
  const std::size_t length = found.channels.size();
  if (length > ChannelList::kMostHeld) {
    refuse(cluster,
           fmt::format("the route from {} to {} has {} links, more than {}",
                       quoted(cluster.vertex_name(source)),
                       quoted(cluster.vertex_name(found.target)), length, ChannelList::kMostHeld));
  }
  Path& path = paths_[class_of_[source] * examples_.size() + class_of_[found.target]];
  path.latency_seconds = found.latency_seconds;
  path.bandwidth = found.bandwidth;
  path.begin = static_cast<std::uint32_t>(channels_.size());
  path.length = static_cast<std::uint32_t>(length);
  path.first_arc = arc_of_link(source, found.channels.front() / 2);
  if (length == 1) return;
  path.last_arc = arc_of_link(found.target, found.channels.back() / 2);
  const auto inner = found.channels.subspan(end_links(source));
  channels_.insert(channels_.end(), inner.begin(),
                   inner.end() - static_cast<std::ptrdiff_t>(end_links(found.target)));
}

std::uint32_t ClassRoutes::arc_of_link(std::uint32_t device, std::uint32_t link) const {
  const auto arcs = arcs_.of(device);
  const auto found = std::find_if(arcs.begin(), arcs.end(),
                                  [&](const Arc& arc) { return arc.channel / 2 == link; });
  return static_cast<std::uint32_t>(found - arcs.begin());
}

Route ClassRoutes::find(DeviceId from, DeviceId to) const {
  const auto source = static_cast<std::uint32_t>(from.index());
  const auto target = static_cast<std::uint32_t>(to.index());
  Route route;
  const std::uint32_t home = host_of_[source];
  const std::uint32_t goal = host_of_[target];
  if (home != kNone && home == goal) {
    // Not from the table: examples of a class are in different hosts, so it has no such route.
    const Arc& first = arcs_.of(source).front();
    const Arc& last = arcs_.of(target).front();
    route.channels.push_back(first.channel);
    route.channels.push_back(way_back(last.channel));
    route.latency_seconds = first.latency_seconds + last.latency_seconds;
    route.bandwidth = std::min(first.bandwidth, last.bandwidth);
    return route;
  }
  const Path& path = paths_[class_of_[source] * examples_.size() + class_of_[target]];
  if (path.length == 0) return route;
  route.latency_seconds = path.latency_seconds;
  route.bandwidth = path.bandwidth;
  route.channels.push_back(arcs_.of(source)[path.first_arc].channel);
  if (path.last_arc == kNone) return route;
  if (home != kNone) route.channels.push_back(up_channel_[home]);
  const std::size_t inner = path.length - end_links(source) - end_links(target);
  for (std::size_t i = 0; i < inner; ++i) route.channels.push_back(channels_[path.begin + i]);
  if (goal != kNone) route.channels.push_back(way_back(up_channel_[goal]));
  route.channels.push_back(way_back(arcs_.of(target)[path.last_arc].channel));
  return route;
}

std::unique_ptr<const LargeRoutes> make_large_routes(const Cluster& cluster) {
  if (auto trees = TreeRoutes::build(cluster)) return trees;
  return std::make_unique<const ClassRoutes>(cluster);
}

}  // namespace berth
