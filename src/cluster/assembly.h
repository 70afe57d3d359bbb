// Collects the devices, switches and links of a cluster in any order. Vertices get their numbers at
// the end, when the number of devices, which precede the switches, is known.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cluster/cluster.h"

namespace berth {

class Assembly {
 public:
  struct Vertex {
    bool is_switch = false;
    std::uint32_t index = 0;
  };

  Vertex add_device(Device device, std::string name) {
    device.name = std::move(name);
    devices_.push_back(std::move(device));
    return {false, static_cast<std::uint32_t>(devices_.size() - 1)};
  }
  Vertex add_switch(std::string name) {
    switches_.push_back(std::move(name));
    return {true, static_cast<std::uint32_t>(switches_.size() - 1)};
  }
  void link(Vertex from, Vertex to, double bandwidth, double latency_seconds) {
    links_.push_back({from, to, bandwidth, latency_seconds});
  }
  Cluster finish(std::string name) {
    const auto first_switch = static_cast<std::uint32_t>(devices_.size());
    const auto number = [&](Vertex vertex) {
      return vertex.is_switch ? first_switch + vertex.index : vertex.index;
    };
    std::vector<Link> links;
    for (const OpenLink& link : links_)
      links.push_back({number(link.from), number(link.to), link.bandwidth, link.latency_seconds});
    return Cluster(std::move(name), std::move(devices_), std::move(switches_), std::move(links));
  }

 private:
  struct OpenLink {
    Vertex from;
    Vertex to;
    double bandwidth;
    double latency_seconds;
  };
  std::vector<Device> devices_;
  std::vector<std::string> switches_;
  std::vector<OpenLink> links_;
};

}  // namespace berth
