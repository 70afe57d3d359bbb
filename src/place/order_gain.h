// How much shorter a step could be if priorities were decided too: for users who asked for
// placement alone.
//
// Two orders are tried, by the longest path to the end and by the latest starts of the plan's own
// timeline (search/priorities.h), each with one simulation. A search for priorities finds more.
#pragma once

#include "plan/plan.h"
#include "sim/timeline.h"

namespace berth::place {

// The step time of the better of the two, or that of the plan if neither fits and is shorter. The
// plan must fit and have no priorities; the timeline is that of the plan.
double step_with_order(const Problem& problem, const Plan& plan, const Timeline& timeline);

}  // namespace berth::place
