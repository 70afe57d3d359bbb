#include "cluster/validation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

namespace berth {
namespace {

// Errors about one device or one link, so that no check has to repeat which one.
class Complaint {
 public:
  Complaint(ClusterPart part, std::size_t index, std::string subject)
      : part_(part), index_(index), subject_(std::move(subject)) {}
  [[noreturn]] void raise(const std::string& rest) const {
    throw ClusterError(part_, index_, subject_ + " " + rest);
  }

 private:
  ClusterPart part_;
  std::size_t index_;
  std::string subject_;
};

void check_flops(const Device& device, const Complaint& complaint) {
  for (std::size_t i = 0; i < device.flops.size(); ++i) {
    const auto& [dtype, rate] = device.flops[i];
    const std::string which =
        dtype == DType::unknown ? "flops" : fmt::format("flops for {}", dtype_name(dtype));
    if (!std::isfinite(rate) || rate <= 0) {
      complaint.raise(
          fmt::format("has {} {}; a rate is finite and above 0, or left out when it is not known",
                      which, rate));
    }
    if (dtype == DType::unknown && device.flops.size() > 1)
      complaint.raise("has both one rate of flops for all dtypes and rates per dtype; give one");
    for (std::size_t j = 0; j < i; ++j)
      if (device.flops[j].first == dtype)
        complaint.raise(fmt::format("has {} twice; give one rate per dtype", which));
  }
}

void check_device(const Device& device, std::size_t index) {
  if (device.name.empty()) {
    throw ClusterError(ClusterPart::device, index,
                       fmt::format("device number {} has an empty name; give it a name of its own, "
                                   "such as \"gpu:0\"",
                                   index));
  }
  const Complaint complaint(ClusterPart::device, index,
                            fmt::format("device {}", quoted(device.name)));
  if (device.kind.empty())
    complaint.raise("has an empty kind; say what it is, such as \"cpu\" or \"gpu\"");
  if (device.memory_bytes < 0) {
    complaint.raise(fmt::format("has a memory of {} bytes; it is 0 or more, or \"unlimited\"",
                                device.memory_bytes));
  }
  if (device.reserved_bytes < 0) {
    complaint.raise(fmt::format("has {} bytes reserved; it is 0 or more", device.reserved_bytes));
  }
  if (device.memory_bytes != kUnlimitedBytes && device.reserved_bytes > device.memory_bytes) {
    complaint.raise(fmt::format(
        "has {} bytes reserved of a memory of {}; at most the whole memory can be reserved",
        device.reserved_bytes, device.memory_bytes));
  }
  check_flops(device, complaint);
  if (std::isnan(device.bandwidth) || device.bandwidth <= 0) {
    complaint.raise(
        fmt::format("has a memory bandwidth of {} bytes/s; it is above 0, or left out when "
                    "unlimited",
                    device.bandwidth));
  }
  if (!std::isfinite(device.launch_seconds) || device.launch_seconds < 0) {
    complaint.raise(fmt::format("has a launch time of {} seconds; it is finite and 0 or more",
                                device.launch_seconds));
  }
  if (device.slots < 1)
    complaint.raise(fmt::format("has {} slots; a device has 1 or more", device.slots));
}

void check_names(std::span<const Device> devices, std::span<const std::string> switches) {
  const std::size_t count = devices.size() + switches.size();
  const auto name_of = [&](std::size_t vertex) -> const std::string& {
    return vertex < devices.size() ? devices[vertex].name : switches[vertex - devices.size()];
  };
  std::vector<std::size_t> order(count);
  for (std::size_t vertex = 0; vertex < count; ++vertex) order[vertex] = vertex;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const int compared = name_of(a).compare(name_of(b));
    return compared != 0 ? compared < 0 : a < b;
  });
  // Of several clashes the first in the lists is reported. Sorting makes this O(n log n) for the
  // tens of thousands of names of a large cluster.
  std::size_t second = count;
  for (std::size_t i = 1; i < count; ++i)
    if (name_of(order[i - 1]) == name_of(order[i])) second = std::min(second, order[i]);
  if (second == count) return;
  const bool is_device = second < devices.size();
  throw ClusterError(
      is_device ? ClusterPart::device : ClusterPart::switch_name,
      is_device ? second : second - devices.size(),
      fmt::format("the name {} is given twice; every device and switch has a name of its own",
                  quoted(name_of(second))));
}

void check_link(std::span<const Device> devices, std::span<const std::string> switches,
                const Link& link, std::size_t index) {
  const std::size_t count = devices.size() + switches.size();
  const Complaint unnamed(ClusterPart::link, index, fmt::format("link number {}", index));
  for (const std::uint32_t end : {link.from, link.to}) {
    if (end >= count) {
      unnamed.raise(
          fmt::format("ends at vertex {}, but the {} devices and {} switches are numbered 0 to {}",
                      end, devices.size(), switches.size(), count - 1));
    }
  }
  const auto name_of = [&](std::uint32_t vertex) {
    return quoted(vertex < devices.size() ? devices[vertex].name
                                          : switches[vertex - devices.size()]);
  };
  if (link.from == link.to) {
    unnamed.raise(
        fmt::format("joins {} with itself; a link has two different ends", name_of(link.from)));
  }
  // The name of a link is built only when there is an error: a mesh has half a million links.
  const auto complaint = [&] {
    return Complaint(
        ClusterPart::link, index,
        fmt::format("the link between {} and {}", name_of(link.from), name_of(link.to)));
  };
  if (!std::isfinite(link.bandwidth) || link.bandwidth <= 0) {
    complaint().raise(
        fmt::format("has a bandwidth of {} bytes/s; it is finite and above 0", link.bandwidth));
  }
  if (!std::isfinite(link.latency_seconds) || link.latency_seconds < 0) {
    complaint().raise(fmt::format("has a latency of {} seconds; it is finite and 0 or more",
                                  link.latency_seconds));
  }
}

}  // namespace

void validate_cluster(std::span<const Device> devices, std::span<const std::string> switches,
                      std::span<const Link> links) {
  if (devices.empty()) {
    throw ClusterError(ClusterPart::whole, 0,
                       "the cluster has no devices; it needs at least one to run anything");
  }
  if (devices.size() > kMostDevices) {
    throw ClusterError(ClusterPart::whole, 0,
                       fmt::format("the cluster has {} devices; at most {} are supported",
                                   devices.size(), kMostDevices));
  }
  for (std::size_t i = 0; i < devices.size(); ++i) check_device(devices[i], i);
  for (std::size_t i = 0; i < switches.size(); ++i) {
    if (switches[i].empty()) {
      throw ClusterError(
          ClusterPart::switch_name, i,
          fmt::format("switch number {} has an empty name; give it a name of its own", i));
    }
  }
  check_names(devices, switches);
  for (std::size_t i = 0; i < links.size(); ++i) check_link(devices, switches, links[i], i);
}

}  // namespace berth
