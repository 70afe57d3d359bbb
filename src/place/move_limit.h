// The move limit of a running plan: how many of its ops may move, and how many did.
#pragma once

#include "place/placer.h"

namespace berth::place {

// The running plan on the devices that remain. `most_moved` is such that at least the fraction
// `keep` of the ops whose device remains stay. `now` has no device where it is lost.
MoveLimit keeping_of(std::vector<DeviceId> now, double keep);

std::size_t count_lost(const MoveLimit& move_limit);
// The number of ops whose device remains but that the plan has on another one.
std::size_t count_moved(const MoveLimit& move_limit, const Plan& plan);

}  // namespace berth::place
