// Tries everything, where everything is little: all placements and, where the schedule may be
// chosen too and there are few enough ops, all orders of the ops as priorities.
#pragma once

#include "place/judge.h"

namespace berth {

// Plans that enumerate() would try; infinite when far too many.
double count_plans(const Problem& problem, Tasks tasks);

// Until the judge has had enough. Keeps to `keep` where that is given.
void enumerate(const Problem& problem, Tasks tasks, const Keeping* keep, Judge& judge);

}  // namespace berth
