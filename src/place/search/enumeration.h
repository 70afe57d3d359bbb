// Simulates all plans, where there are few: all placements, and where the schedule may be chosen
// too, all orders of the ops as priorities. Exact. Its cost is the product of the numbers of
// allowed devices of all groups, times (ops)! + 1 with schedules; see count_plans().
#pragma once

#include "place/evaluator.h"

namespace berth::place {

// Plans that enumerate() would try; infinite when far too many.
double count_plans(const Problem& problem, Tasks tasks);

// Runs until done or until the evaluator is exhausted. Plans beyond `keep`, where given, are left
// out.
void enumerate(const Problem& problem, Tasks tasks, const MoveLimit* keep, Evaluator& evaluator);

}  // namespace berth::place
