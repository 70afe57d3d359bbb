// The cost of a colocation group on a device, and how much more that is than on its fastest device.
//
// A placer that decides on a group at the group's first op must look at the whole group: the first
// op may cost the same everywhere (or nothing) while the others would take fifty times as long on a
// CPU.
#pragma once

#include <vector>

#include "cost/problem.h"

namespace berth::place {

class GroupCosts {
 public:
  explicit GroupCosts(const Problem& problem);

  double seconds(GroupId group, DeviceId device) const {
    return seconds_[group.index() * classes_ + problem_.device_class(device)];
  }
  double fastest(GroupId group) const { return fastest_[group.index()]; }  // of allowed devices
  // Seconds beyond those on the group's fastest allowed device.
  double penalty(GroupId group, DeviceId device) const {
    return seconds(group, device) - fastest_[group.index()];
  }

 private:
  const Problem& problem_;
  std::size_t classes_;
  std::vector<double> seconds_;  // group x class; infinite where no device of the class is allowed
  std::vector<double> fastest_;
};

}  // namespace berth::place
