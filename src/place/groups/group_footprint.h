// An estimate of the bytes that a colocation group brings to its device, without simulation: its
// parameters, which stay during the whole step, and all its outputs, of which only a part exists at
// any time. Resident outputs are already counted as parameters, and views take nothing. Workspace
// and received copies are left out.
#pragma once

#include <vector>

#include "cost/problem.h"

namespace berth::place {

struct GroupFootprint {
  double param_bytes = 0;
  double output_bytes = 0;
};

std::vector<GroupFootprint> group_footprints(const Problem& problem);  // by group, O(ops)

}  // namespace berth::place
