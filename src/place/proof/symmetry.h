// Devices that can be exchanged for one another without changing any outcome, to the last bit.
//
// Ops must cost the same on both, both must be allowed for the same groups, and they must have the
// same slots and memory. Routes must correspond: exchanging the two devices exchanges routes of
// equal latency and bandwidth, and channels one for one. This is not enough, because the transfers
// of an op are reserved in order of destination: a transfer to either device must not share a
// channel with one from the same source to anywhere else. So GPUs with links of their own are
// symmetric, while GPUs behind one switch are not.
//
// If a partial placement treats two such devices alike, a group needs to be tried on only one of
// them.
#pragma once

#include <vector>

#include "place/proof/relaxation.h"

namespace berth::place {

class Symmetry {
 public:
  explicit Symmetry(const Relaxation& relaxation);

  // By device: the devices it can be exchanged for, without itself.
  DeviceSet twins(std::size_t device) const { return twins_[device]; }

  // Of the group's devices, those that need to be tried.
  DeviceSet representatives(const Domains& domains, std::size_t group) const;

 private:
  std::vector<DeviceSet> twins_;
};

}  // namespace berth::place
