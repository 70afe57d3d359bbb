// The optimum of placement by trying everything.
#pragma once

#include "cost/problem.h"

namespace berth {

// The shortest step over all placements that fit; infinite when none does.
double shortest_step(const Problem& problem);

}  // namespace berth
