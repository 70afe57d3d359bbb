// Checks whether the fused groups of a plan may each run as one op: on one device, connected by
// data, with at most one heavy op each, and such that the graph with all groups contracted at once,
// `after` included, is acyclic. The last rule implies that every group is convex, so one pass over
// the contracted graph checks everything. Only when it fails are single groups looked at, to say
// which one is at fault and where a path leaves it and returns. O(ops + edges) for a valid plan,
// and as much again per sentence otherwise.
#pragma once

#include <string>
#include <vector>

#include "plan/plan.h"

namespace berth {

// Appends one sentence per broken rule until there are `most` sentences. The placement must be
// complete.
void add_fusion_violations(const Problem& problem, const Plan& plan, std::size_t most,
                           std::vector<std::string>& sentences);

}  // namespace berth
