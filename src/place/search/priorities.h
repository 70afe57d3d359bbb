// Priorities for a placement: who goes first when several ops of a device are ready.
#pragma once

#include <vector>

#include "plan/plan.h"
#include "sim/timeline.h"

namespace berth::place {

// By the longest way from an op to the end of the step as the ops are placed, transfers included:
// who has far to go goes first.
std::vector<double> priorities_by_way_to_end(const Problem& problem, const Plan& plan);

// By the latest start of an op that would not have made this very step longer, its device's order
// of ops kept: who had no time to lose goes first.
std::vector<double> priorities_by_timeline(const Problem& problem, const Plan& plan,
                                           const Timeline& timeline);

}  // namespace berth::place
