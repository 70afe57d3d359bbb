#include "cluster/lost_devices.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/options.h"

namespace berth {
namespace {

constexpr std::uint32_t kGone = 0xffffffffu;

bool contains(std::span<const std::string> names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<std::string> device_names(const Cluster& cluster) {
  std::vector<std::string> names;
  for (const Device& device : cluster.devices()) names.push_back(device.name);
  return names;
}

}  // namespace

std::vector<std::string> parse_lost_devices(const std::string& text, const Cluster& cluster) {
  const std::vector<std::string> known = device_names(cluster);
  const std::vector<std::string> given = split_list(text);
  for (const std::string& name : given) {
    if (contains(known, name)) continue;
    throw InputError(
        fmt::format("cluster {} has no device {}; its devices are {}{}", quoted(cluster.name()),
                    quoted(name), join_names(known), did_you_mean(name, known)),
        {.code = ErrorCode::unknown_name, .subject = name});
  }
  std::vector<std::string> lost;
  for (const std::string& name : known) {
    if (contains(given, name)) lost.push_back(name);
  }
  if (lost.size() == known.size()) {
    throw InputError(
        fmt::format("cluster {} would have no device left; leave at least one of {} in place",
                    quoted(cluster.name()), join_names(known)));
  }
  return lost;
}

std::string without_text(std::span<const std::string> lost) {
  std::string text;
  for (const std::string& name : lost) text += (text.empty() ? " without " : ", ") + name;
  return text;
}

Cluster without_devices(const Cluster& cluster, std::span<const std::string> lost) {
  std::vector<std::uint32_t> renumbered(cluster.vertex_count(), kGone);
  std::vector<Device> devices;
  for (std::size_t i = 0; i < cluster.device_count(); ++i) {
    const Device& device = cluster.device(DeviceId(i));
    if (contains(lost, device.name)) continue;
    renumbered[i] = static_cast<std::uint32_t>(devices.size());
    devices.push_back(device);
  }
  // Switches are numbered after the devices, so all of them move up by the number of lost devices.
  const std::size_t gone = cluster.device_count() - devices.size();
  for (std::size_t i = cluster.device_count(); i < renumbered.size(); ++i) {
    renumbered[i] = static_cast<std::uint32_t>(i - gone);
  }
  std::vector<Link> links;
  for (Link link : cluster.links()) {
    link.from = renumbered[link.from];
    link.to = renumbered[link.to];
    if (link.from != kGone && link.to != kGone) links.push_back(link);
  }
  return Cluster(cluster.name() + without_text(lost), std::move(devices),
                 {cluster.switches().begin(), cluster.switches().end()}, std::move(links));
}

std::vector<DeviceId> devices_by_name(const Cluster& whole, const Cluster& rest) {
  std::vector<DeviceId> devices;
  for (const Device& device : whole.devices()) {
    devices.push_back(rest.find_device(device.name).value_or(DeviceId::none()));
  }
  return devices;
}

}  // namespace berth
