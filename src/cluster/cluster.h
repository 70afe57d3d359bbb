// Devices, switches and the links between them, and the route every pair of devices uses.
//
// A link has one channel each way (duplex) or one shared by both ways. A route is a path over links
// whose inner vertices are switches (devices do not forward): of all such paths the one with the
// widest bottleneck, then the fewest links, then the least total latency, then the smallest list of
// link indices. Routes of all pairs are computed once: O(devices x links) for the topologies people
// have, and more only where the widest path is not also the shortest.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/units.h"
#include "graph/dtype.h"

namespace berth {

struct Device {
  std::string name;
  std::string kind;        // "cpu", "gpu", ...
  std::string model = {};  // may be empty
  std::int64_t memory_bytes = kUnlimitedBytes;
  std::int64_t reserved_bytes = 0;  // driver context, allocator: no plan may use them
  // One rate under DType::unknown, or one a dtype; empty when not given.
  std::vector<std::pair<DType, double>> flops = {};
  double bandwidth = std::numeric_limits<double>::infinity();
  double launch_seconds = 0;
  std::int64_t slots = 1;

  std::int64_t usable_bytes() const {
    if (memory_bytes == kUnlimitedBytes) return kUnlimitedBytes;
    return memory_bytes > reserved_bytes ? memory_bytes - reserved_bytes : 0;
  }
  // The rate for a dtype: its own, else the single rate, else that of f32, else the first given; 0
  // when none is given.
  double flops_for(DType dtype) const;
  bool has_rate(DType dtype) const;  // of its own
  // True when `label` is its name, its model or its kind.
  bool answers_to(std::string_view label) const {
    return label == name || label == kind || (!model.empty() && label == model);
  }
  bool operator==(const Device&) const = default;
};

// Endpoints are vertices: devices first (0 .. devices-1), then switches.
struct Link {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  double bandwidth = 0;  // bytes/s
  double latency_seconds = 0;
  bool duplex = true;
  bool operator==(const Link&) const = default;
};

struct Route {
  // Channels in the order of travel: 2 x link for the way from -> to of the link and for shared
  // links, 2 x link + 1 for the way back. Empty when there is no path (or the devices are one).
  std::span<const std::uint32_t> channels;
  double latency_seconds = 0;  // summed left to right
  double bandwidth = 0;        // of the bottleneck
  bool exists() const { return !channels.empty(); }
};

class Cluster {
 public:
  // Checks names, endpoints and numbers; throws InputError.
  Cluster(std::string name, std::vector<Device> devices, std::vector<std::string> switches,
          std::vector<Link> links);

  const std::string& name() const { return name_; }
  std::size_t device_count() const { return devices_.size(); }
  const Device& device(DeviceId id) const { return devices_[id.index()]; }
  std::span<const Device> devices() const { return devices_; }
  std::span<const std::string> switches() const { return switches_; }
  std::span<const Link> links() const { return links_; }
  std::size_t channel_count() const { return 2 * links_.size(); }
  std::size_t vertex_count() const { return devices_.size() + switches_.size(); }
  std::optional<DeviceId> find_device(std::string_view name) const;
  // Name of a device or switch by vertex number.
  const std::string& vertex_name(std::uint32_t vertex) const;

  Route route(DeviceId from, DeviceId to) const {
    const Path& path = paths_[from.index() * devices_.size() + to.index()];
    return {{channels_.data() + path.begin, path.length}, path.latency_seconds, path.bandwidth};
  }
  // latency + bytes / bottleneck, as the execution rules price a transfer; the route must exist.
  double transfer_seconds(DeviceId from, DeviceId to, std::int64_t bytes) const {
    const Path& path = paths_[from.index() * devices_.size() + to.index()];
    return path.latency_seconds + static_cast<double>(bytes) / path.bandwidth;
  }

 private:
  struct Path {
    std::uint32_t begin = 0;
    std::uint32_t length = 0;
    double latency_seconds = 0;
    double bandwidth = 0;
  };
  friend class RouteFinder;

  std::string name_;
  std::vector<Device> devices_;
  std::vector<std::string> switches_;
  std::vector<Link> links_;
  std::vector<std::uint32_t> devices_by_name_;  // device numbers, sorted by name, for find_device
  std::vector<Path> paths_;
  std::vector<std::uint32_t> channels_;
};

}  // namespace berth
