#include "cost/lost_devices.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace berth {
namespace {

bool has(const Cluster& cluster, const std::string& label) {
  return std::ranges::any_of(cluster.devices(),
                             [&](const Device& device) { return device.answers_to(label); });
}

}  // namespace

Constraints without_lost(Constraints constraints, const Cluster& whole, const Cluster& rest) {
  const auto is_lost = [&](const std::string& label) {
    return has(whole, label) && !has(rest, label);
  };
  std::erase_if(constraints.forbidden_devices, is_lost);
  for (Constraints::Pin& pin : constraints.pins) {
    const std::vector<std::string> given = pin.devices;
    std::erase_if(pin.devices, is_lost);
    if (!pin.devices.empty()) continue;
    std::vector<std::string> left;
    for (const Device& device : rest.devices()) left.push_back(device.name);
    throw InputError(
        fmt::format("{}: {} is pinned to {}, which is lost; pin it to a device that is left: {}",
                    constraints.source, quoted(pin.pattern), join_names(given), join_names(left)),
        {.code = ErrorCode::conflict, .subject = pin.pattern, .place = constraints.source});
  }
  return constraints;
}

}  // namespace berth
