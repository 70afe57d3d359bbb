// Devices with several slots run ops side by side. For drawing, each op of a device gets a lane in
// which it overlaps no other: the lowest lane that is free when it starts.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/timeline.h"

namespace berth::report {

struct Lanes {
  std::vector<std::uint32_t> lane;   // one per entry of Timeline::ops
  std::vector<std::uint32_t> count;  // lanes by device, at least one each
};

Lanes assign_lanes(const Timeline& timeline, std::size_t device_count);

}  // namespace berth::report
