// The order of devices for placers that fill one after the other: accelerators first, by index,
// then CPUs, which have much memory but are slow.
#pragma once

#include <vector>

#include "cost/problem.h"

namespace berth::place {

struct FillOrder {
  std::vector<DeviceId> devices;
  std::size_t accelerator_count = 0;  // these come first
};

// Devices with a limit of 0 are left out, but never all of them.
FillOrder fill_order(const Problem& problem, std::span<const std::int64_t> limits);

}  // namespace berth::place
