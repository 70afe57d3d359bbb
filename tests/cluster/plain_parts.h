// Devices d0, d1, ... and switches s0, s1, ... for clusters where only the links matter.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "cluster/cluster.h"

namespace berth {

inline std::vector<Device> make_devices(std::size_t count) {
  std::vector<Device> devices(count);
  for (std::size_t i = 0; i < count; ++i) {
    devices[i].name = fmt::format("d{}", i);
    devices[i].kind = "gpu";
  }
  return devices;
}

inline std::vector<std::string> make_switches(std::size_t count) {
  std::vector<std::string> names(count);
  for (std::size_t i = 0; i < count; ++i) names[i] = fmt::format("s{}", i);
  return names;
}

}  // namespace berth
