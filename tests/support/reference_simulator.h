// The execution rules written down as plainly as possible, to hold the engines to: no compiled
// program, no heaps, no shared code. It looks at every op and every device at every instant, so it
// is quadratic and more. It knows only Graph, Cluster, Plan and the costs of a Problem.
#pragma once

#include "plan/plan.h"
#include "sim/timeline.h"

namespace berth {

// Fused plans included. The plan must be valid but for routes.
Timeline reference_trace(const Problem& problem, const Plan& plan);

}  // namespace berth
