// Tries everything, where everything is little: all placements and, where the schedule may be
// chosen too and there are few enough ops, all orders of the ops as priorities.
#pragma once

#include "place/evaluator.h"

namespace berth::place {

// Plans that enumerate() would try; infinite when far too many.
double count_plans(const Problem& problem, Tasks tasks);

// Until the evaluator has had enough. Keeps to `keep` where that is given.
void enumerate(const Problem& problem, Tasks tasks, const MoveLimit* keep, Evaluator& evaluator);

}  // namespace berth::place
