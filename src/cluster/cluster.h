// Devices, switches and the links between them, and the route of every pair of devices.
//
// A link has one channel per direction (duplex) or one that is shared by both. A route is a path
// over links whose inner vertices are switches (devices do not forward). Of all such paths it is
// the one with the widest bottleneck, then the fewest links, then the least total latency, then the
// smallest list of link indices. Up to 1,024 devices the routes of all pairs are computed once
// (routes.h), in O(devices x links) for common topologies. In a larger cluster a table of all pairs
// would take gigabytes, so routes are put together when they are asked for (large_routes.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/quantity.h"
#include "graph/dtype.h"

namespace berth {

struct Device {
  std::string name;
  std::string kind;        // "cpu", "gpu", ...
  std::string model = {};  // may be empty
  std::int64_t memory_bytes = kUnlimitedBytes;
  std::int64_t reserved_bytes = 0;  // driver context, allocator: no plan may use them
  // One rate under DType::unknown, or one per dtype; empty when not given.
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

// The channels of a route: a view of a list that the cluster keeps, or the few numbers themselves.
class ChannelList {
 public:
  static constexpr std::size_t kMostHeld = 30;

  ChannelList() = default;
  explicit ChannelList(std::span<const std::uint32_t> kept)
      : kept_(kept.data()), size_(static_cast<std::uint32_t>(kept.size())) {}
  ChannelList(const ChannelList& other) { *this = other; }
  ChannelList& operator=(const ChannelList& other) {
    if (this == &other) return *this;
    kept_ = other.kept_;
    size_ = other.size_;
    if (kept_ == nullptr) std::copy_n(other.held_, size_, held_);
    return *this;
  }

  // Only on a list that is not a view, up to kMostHeld.
  void push_back(std::uint32_t channel) { held_[size_++] = channel; }

  const std::uint32_t* begin() const { return kept_ != nullptr ? kept_ : held_; }
  const std::uint32_t* end() const { return begin() + size_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::uint32_t front() const { return *begin(); }
  std::uint32_t back() const { return *(end() - 1); }

 private:
  const std::uint32_t* kept_ = nullptr;
  std::uint32_t size_ = 0;
  std::uint32_t held_[kMostHeld];  // the first size_, unless there is a view
};

struct Route {
  // Channels in the order of travel: 2 x link for the way from -> to of the link and for shared
  // links, 2 x link + 1 for the way back. Empty when there is no path (or the devices are one).
  ChannelList channels;
  double latency_seconds = 0;  // summed left to right
  double bandwidth = 0;        // of the bottleneck
  bool exists() const { return !channels.empty(); }
};

// Routes of a cluster too large for a table of all pairs; see large_routes.h.
class LargeRoutes;

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
    if (large_routes_ != nullptr) return find_large_route(from, to);
    const Path& path = paths_[from.index() * devices_.size() + to.index()];
    return {ChannelList({channels_.data() + path.begin, path.length}), path.latency_seconds,
            path.bandwidth};
  }
  // latency + bytes / bottleneck, as the execution rules price a transfer; the route must exist.
  double transfer_seconds(DeviceId from, DeviceId to, std::int64_t bytes) const {
    if (large_routes_ != nullptr) {
      const Route route = find_large_route(from, to);
      return route.latency_seconds + static_cast<double>(bytes) / route.bandwidth;
    }
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

  void tabulate_routes();
  Route find_large_route(DeviceId from, DeviceId to) const;

  std::string name_;
  std::vector<Device> devices_;
  std::vector<std::string> switches_;
  std::vector<Link> links_;
  std::vector<std::uint32_t> devices_by_name_;  // device numbers, sorted by name, for find_device
  // Of all pairs; empty in a large cluster.
  std::vector<Path> paths_;
  std::vector<std::uint32_t> channels_;
  std::shared_ptr<const LargeRoutes> large_routes_;  // shared by copies: it never changes
};

}  // namespace berth
