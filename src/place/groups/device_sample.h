// The devices over which a mean over routes is taken: all of them, or with more than 1,024 one
// drawn from each of 1,024 equal ranges. All pairs of 16,384 devices are too many for a figure that
// only guides a heuristic. Drawn at random, because hosts repeat: every 18th device of hosts of
// nine would always be the CPU. The same list gives the same sample.
#pragma once

#include <span>
#include <vector>

#include "base/ids.h"

namespace berth::place {

std::vector<DeviceId> device_sample(std::span<const DeviceId> devices);

}  // namespace berth::place
