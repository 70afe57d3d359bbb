// Devices that no bound can tell apart, counted once. The eight GPUs of a host are one kind, and of
// two like hosts all sixteen are; so a bound that is dear in devices is cheap in kinds, and exact.
//
// By use: two devices are of one kind if every op costs the same on both, every device set holds
// both or neither, they have as many slots, and as much memory (or both more than could ever
// matter).
//
// By routes too: the coarsest partition such that two devices of one kind are reached from the same
// kinds over the same sorts of route (latency and bandwidth). It is found by splitting kinds until
// nothing changes, as automata are minimised (Hopcroft 1971; here in its plain quadratic form, the
// number of devices being small). A quantity defined per device by a recurrence over what reaches
// it is then the same for all devices of a kind, by induction.
#pragma once

#include <cstdint>
#include <vector>

#include "bounds/footprint.h"
#include "cost/problem.h"

namespace berth::bounds {

struct DeviceKinds {
  std::vector<std::uint32_t> kind_of;     // by device
  std::vector<DeviceId> representatives;  // by kind: its lowest device; kinds ascend by it
  std::vector<std::uint32_t> counts;      // by kind: how many devices

  std::size_t size() const { return representatives.size(); }
};

DeviceKinds kinds_by_use(const Problem& problem, const Footprints& footprints);

// A way for a tensor from any device of one kind to a given device of another (or the same) kind.
// Ways that another way between the same kinds beats at every size are left out.
struct Arc {
  std::uint32_t from_kind = 0;
  double latency_seconds = 0;
  double bandwidth = 0;

  // Summed in the order of the execution rules, so that rounding keeps a bound a bound.
  double arrival_seconds(double sent_seconds, std::int64_t bytes) const {
    return sent_seconds + latency_seconds + static_cast<double>(bytes) / bandwidth;
  }
};

struct RoutedKinds {
  DeviceKinds kinds;
  Rows<Arc> arrivals;  // by destination kind
};

// Splits `kinds` by routes. O(devices^2 log devices) per round; rounds are two or three in
// practice.
RoutedKinds split_by_routes(const Cluster& cluster, DeviceKinds kinds);

// Whether a group may be on a device of a kind: allowed there, and not too big for it. What it is
// made from must outlive it.
class Possible {
 public:
  Possible(const Problem& problem, const Footprints& footprints, const DeviceKinds& kinds);
  bool operator()(GroupId group, std::size_t kind) const {
    return allowed_[problem_->device_set(group) * kinds_ + kind] != 0 &&
           footprints_->fits(group, usable_bytes_[kind]);
  }

 private:
  const Problem* problem_;
  const Footprints* footprints_;
  std::size_t kinds_;
  std::vector<std::uint8_t> allowed_;  // device set x kind
  std::vector<std::int64_t> usable_bytes_;
};

}  // namespace berth::bounds
