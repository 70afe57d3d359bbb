// The order in which placers that fill one device after the other take them: accelerators first, by
// index, then CPUs, which have memory to spare but are slow.
#pragma once

#include <vector>

#include "cost/problem.h"

namespace berth::place {

struct FillOrder {
  std::vector<DeviceId> devices;
  std::size_t accelerator_count = 0;  // these come first
};

// Devices with no bytes under the limits are left out, but never all of them.
FillOrder fill_order(const Problem& problem, std::span<const std::int64_t> limits);

}  // namespace berth::place
