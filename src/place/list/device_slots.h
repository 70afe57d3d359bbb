// When the slots of all devices are idle, for schedulers that insert ops between others.
#pragma once

#include <vector>

#include "cost/problem.h"
#include "place/list/idle_gaps.h"

namespace berth::place {

class DeviceSlots {
 public:
  struct Start {
    double seconds = 0;
    std::size_t slot = 0;
  };

  explicit DeviceSlots(const Problem& problem);

  // The earliest start, not before `ready_seconds`, of something that takes `length_seconds`.
  Start earliest(DeviceId device, double ready_seconds, double length_seconds) const;
  // Occupies what earliest() has found.
  void take(DeviceId device, const Start& start, double length_seconds) {
    slots_[device.index()][start.slot].take(start.seconds, start.seconds + length_seconds);
  }

 private:
  std::vector<std::vector<IdleGaps>> slots_;  // by device, then slot
};

}  // namespace berth::place
