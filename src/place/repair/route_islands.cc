#include "place/repair/route_islands.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace berth::place {
namespace {

constexpr std::size_t kMostSeeds = 16;

bool reach_one_another(const Cluster& cluster, DeviceId left, DeviceId right) {
  return left == right ||
         (cluster.route(left, right).exists() && cluster.route(right, left).exists());
}

std::vector<DeviceId> island_around(const Cluster& cluster, DeviceId seed) {
  std::vector<DeviceId> island = {seed};
  for (std::size_t index = 0; index < cluster.device_count(); ++index) {
    const DeviceId device(index);
    if (device == seed) continue;
    // With all members, not with one: devices do not forward what they receive, so reaching each
    // other is not transitive.
    const bool joins = std::all_of(island.begin(), island.end(), [&](DeviceId member) {
      return reach_one_another(cluster, member, device);
    });
    if (joins) island.push_back(device);
  }
  std::sort(island.begin(), island.end());
  return island;
}

// Whether every device has a link to one and the same network of switches: then all pairs have
// routes, and none needs to be looked at.
bool share_a_network(const Cluster& cluster) {
  const std::size_t devices = cluster.device_count();
  std::vector<std::size_t> network(cluster.switches().size());
  std::iota(network.begin(), network.end(), std::size_t{0});
  const auto network_of = [&](std::size_t vertex) {
    std::size_t at = vertex - devices;
    while (network[at] != at) at = network[at] = network[network[at]];
    return at;
  };
  for (const Link& link : cluster.links()) {
    if (link.from < devices || link.to < devices) continue;
    network[network_of(link.from)] = network_of(link.to);
  }
  std::vector<std::pair<std::size_t, std::size_t>> attachments;  // network, device
  for (const Link& link : cluster.links()) {
    const auto [device, other] = std::minmax(link.from, link.to);
    if (device < devices && other >= devices) attachments.emplace_back(network_of(other), device);
  }
  std::sort(attachments.begin(), attachments.end());
  attachments.erase(std::unique(attachments.begin(), attachments.end()), attachments.end());
  std::vector<std::size_t> members(network.size(), 0);
  for (const auto& attachment : attachments) ++members[attachment.first];
  return std::find(members.begin(), members.end(), devices) != members.end();
}

}  // namespace

std::vector<std::vector<DeviceId>> route_islands(const Cluster& cluster) {
  if (share_a_network(cluster)) {
    std::vector<DeviceId> all;
    for (std::size_t index = 0; index < cluster.device_count(); ++index) all.emplace_back(index);
    return {std::move(all)};
  }
  std::vector<std::vector<DeviceId>> islands;
  // The largest such set is a maximum clique, which is hard to find. Greedy sets around a few
  // devices are enough for clusters that are made of islands.
  const std::size_t seeds = std::min(kMostSeeds, cluster.device_count());
  for (std::size_t seed = 0; seed < seeds; ++seed) {
    std::vector<DeviceId> island = island_around(cluster, DeviceId(seed));
    if (island.size() == cluster.device_count()) return {std::move(island)};
    if (std::find(islands.begin(), islands.end(), island) == islands.end()) {
      islands.push_back(std::move(island));
    }
  }
  std::stable_sort(islands.begin(), islands.end(),
                   [](const auto& left, const auto& right) { return left.size() > right.size(); });
  return islands;
}

}  // namespace berth::place
