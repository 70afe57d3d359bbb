// A problem made around a plan that is known to be valid and, where memory was set from its peaks,
// to fit: so a test can hold a method to finding something without solving the problem itself.
#pragma once

#include <memory>
#include <span>

#include "cost/problem.h"
#include "plan/plan.h"

namespace berth {

struct PlantedProblem {
  Problem problem;
  Plan plan;
};

// The problem of graph, cluster and constraints with the memory of every device such that the plan
// fills the given part of it; a part of 0 leaves the device without a limit. A device that the plan
// does not use gets the mean memory of the others. The plan must be valid for the problem.
PlantedProblem plant(std::shared_ptr<const Graph> graph, const Cluster& cluster,
                     const Constraints& constraints, Plan plan, std::span<const double> filled);

}  // namespace berth
