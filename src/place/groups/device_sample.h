// The devices that a mean over routes is taken over: all of them, or of more than 1,024 as many
// drawn from evenly spaced stretches, since all pairs of 16,384 devices are too many to look at for
// a figure that only guides a heuristic. Drawn, because hosts repeat: every 18th device of hosts of
// nine would always be the CPU. The same list gives the same sample.
#pragma once

#include <span>
#include <vector>

#include "base/ids.h"

namespace berth::place {

std::vector<DeviceId> device_sample(std::span<const DeviceId> devices);

}  // namespace berth::place
