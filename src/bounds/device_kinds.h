// Groups devices into kinds that no bound can tell apart. The eight GPUs of a host are one kind,
// and so are the sixteen of two equal hosts. A bound that would be expensive per device is then
// cheap per kind, and still exact.
//
// By use: two devices are of one kind if every op costs the same on both, every device set contains
// both or neither, and they have the same number of slots and the same memory (or both more than
// can ever matter).
//
// By routes: the coarsest refinement such that devices of one kind are reached from the same kinds
// over the same sorts of route (latency and bandwidth). Kinds are split until nothing changes, as
// in the minimisation of automata (Hopcroft 1971; here the plain quadratic form, as there are few
// devices). A quantity that is defined per device by a recurrence over what reaches it is then
// equal for all devices of a kind, by induction.
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

// A sort of route from a device of one kind to a given device of another (or the same) kind. Sorts
// that another one between the same kinds beats at every size are left out.
struct Arc {
  std::uint32_t from_kind = 0;
  double latency_seconds = 0;
  double bandwidth = 0;

  // Summed in the order of the execution rules, so that the bound is valid to the last bit.
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
