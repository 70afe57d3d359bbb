#include "cluster/cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "cluster/large_routes.h"
#include "cluster/routes.h"
#include "cluster/validation.h"

namespace berth {

double Device::flops_for(DType dtype) const {
  const std::pair<DType, double>* best = nullptr;
  for (const auto& rate : flops) {
    // A single rate is listed under `unknown` and holds for every dtype.
    if (rate.first == dtype || rate.first == DType::unknown) return rate.second;
    if (best == nullptr || rate.first == DType::f32) best = &rate;
  }
  return best != nullptr ? best->second : 0;
}

bool Device::has_rate(DType dtype) const {
  return std::ranges::any_of(flops, [&](const auto& rate) { return rate.first == dtype; });
}

Cluster::Cluster(std::string name, std::vector<Device> devices, std::vector<std::string> switches,
                 std::vector<Link> links)
    : name_(std::move(name)),
      devices_(std::move(devices)),
      switches_(std::move(switches)),
      links_(std::move(links)) {
  validate_cluster(devices_, switches_, links_);
  // -0.0 is a legal time, but would not stay the same when written and read. Adding 0.0 makes it
  // 0.0.
  for (Device& device : devices_) device.launch_seconds += 0.0;
  for (Link& link : links_) link.latency_seconds += 0.0;

  devices_by_name_.resize(devices_.size());
  for (std::uint32_t i = 0; i < devices_by_name_.size(); ++i) devices_by_name_[i] = i;
  std::sort(
      devices_by_name_.begin(), devices_by_name_.end(),
      [this](std::uint32_t a, std::uint32_t b) { return devices_[a].name < devices_[b].name; });

  if (devices_.size() <= kMostTabledDevices) {
    tabulate_routes();
  } else {
    large_routes_ = make_large_routes(*this);
  }
}

void Cluster::tabulate_routes() {
  const std::size_t count = devices_.size();
  paths_.assign(count * count, {});
  RouteFinder finder(*this);
  // All but the source itself; a cluster has at least one device.
  std::vector<std::uint32_t> targets(count - 1);
  for (std::uint32_t source = 0; source < count; ++source) {
    std::iota(targets.begin(), targets.begin() + source, 0u);
    std::iota(targets.begin() + source, targets.end(), source + 1);
    finder.find_from(source, targets, [&](const RouteFinder::Found& found) {
      const std::size_t begin = channels_.size();
      channels_.insert(channels_.end(), found.channels.begin(), found.channels.end());
      if (channels_.size() > std::numeric_limits<std::uint32_t>::max()) {
        throw ClusterError(ClusterPart::whole, 0,
                           fmt::format("the routes between the {} devices of the cluster have more "
                                       "than 2^32 links in total; use fewer devices or switches",
                                       count));
      }
      paths_[source * count + found.target] = {static_cast<std::uint32_t>(begin),
                                               static_cast<std::uint32_t>(found.channels.size()),
                                               found.latency_seconds, found.bandwidth};
    });
  }
}

Route Cluster::find_large_route(DeviceId from, DeviceId to) const {
  return from == to ? Route{} : large_routes_->find(from, to);
}

std::optional<DeviceId> Cluster::find_device(std::string_view name) const {
  const auto found = std::lower_bound(devices_by_name_.begin(), devices_by_name_.end(), name,
                                      [this](std::uint32_t device, std::string_view wanted) {
                                        return devices_[device].name < wanted;
                                      });
  if (found == devices_by_name_.end() || devices_[*found].name != name) return std::nullopt;
  return DeviceId(*found);
}

const std::string& Cluster::vertex_name(std::uint32_t vertex) const {
  return vertex < devices_.size() ? devices_[vertex].name : switches_[vertex - devices_.size()];
}

}  // namespace berth
