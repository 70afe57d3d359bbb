// Whether the fused groups of a plan may each run as one op: on one device, connected by data, at
// most one heavy op each, and the graph with all groups contracted at once, `after` included, must
// be acyclic. That last rule implies that every group is convex, so one pass over the contracted
// graph settles it all; only when it fails are single groups looked at, to say which is at fault
// and where a path leaves it and comes back. O(ops + edges) for a valid plan, that much again for
// every sentence otherwise.
#pragma once

#include <string>
#include <vector>

#include "plan/plan.h"

namespace berth {

// Appends one sentence a broken rule until there are `most` sentences. The placement must be
// complete.
void add_fusion_violations(const Problem& problem, const Plan& plan, std::size_t most,
                           std::vector<std::string>& sentences);

}  // namespace berth
