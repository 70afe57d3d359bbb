// What deciding the order of ops would bring to a placement that leaves it to chance: for whoever
// has asked for devices alone and does not know what else there is to have.
//
// Two orders are tried, by the longest way to the end and by the latest starts of the plan's own
// timeline (search/priorities.h), each by one simulation. A search for orders finds more.
#pragma once

#include "plan/plan.h"
#include "sim/timeline.h"

namespace berth::place {

// The step of the better of the two, or that of the plan where none fits and is shorter. The plan
// fits and has no priorities; the timeline is its own.
double step_with_order(const Problem& problem, const Plan& plan, const Timeline& timeline);

}  // namespace berth::place
