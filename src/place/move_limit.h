// A running plan and what may become of it: how many of its ops may move, and how many did.
#pragma once

#include "place/placer.h"

namespace berth::place {

// The running plan on the devices that remain; `most_moved` so that at least the fraction `keep` of
// the ops whose device remains stays. `now` has none where the device is lost.
MoveLimit keeping_of(std::vector<DeviceId> now, double keep);

std::size_t count_lost(const MoveLimit& move_limit);
// Ops whose device remains but that the plan has elsewhere.
std::size_t count_moved(const MoveLimit& move_limit, const Plan& plan);

}  // namespace berth::place
