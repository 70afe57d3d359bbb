// Priorities for a given placement: which op goes first when several ops of a device are ready.
// Both rules are heuristics that cost O(ops + edges).
#pragma once

#include <vector>

#include "plan/plan.h"
#include "sim/timeline.h"

namespace berth::place {

// By the longest path from the op to the end of the step for this placement, transfers included:
// the op with the longest path goes first. Ignores waiting for devices and channels.
std::vector<double> priorities_by_way_to_end(const Problem& problem, const Plan& plan);

// By the latest start that would not have made this very step longer, with the order of ops on each
// device kept: the op with the least slack goes first.
std::vector<double> priorities_by_timeline(const Problem& problem, const Plan& plan,
                                           const Timeline& timeline);

}  // namespace berth::place
