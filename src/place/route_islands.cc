#include "place/route_islands.h"

#include <algorithm>

namespace berth {
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
    const bool joins = std::all_of(island.begin(), island.end(), [&](DeviceId member) {
      return reach_one_another(cluster, member, device);
    });
    if (joins) island.push_back(device);
  }
  std::sort(island.begin(), island.end());
  return island;
}

}  // namespace

std::vector<std::vector<DeviceId>> route_islands(const Cluster& cluster) {
  std::vector<std::vector<DeviceId>> islands;
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

}  // namespace berth
