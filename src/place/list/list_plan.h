// What a list scheduler makes of units: every unit in turn on the device where its first op would
// end first, of those where it fits (unit_schedule.h). Cost: that of a UnitSchedule.
#pragma once

#include "cost/problem.h"
#include "place/groups/units.h"
#include "plan/plan.h"

namespace berth::place {

Plan list_plan(const Problem& problem, const Units& units);

}  // namespace berth::place
