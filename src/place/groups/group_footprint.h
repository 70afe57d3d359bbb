// The bytes a colocation group brings to its device, without simulating: its parameters, which stay
// all step long, and all its outputs, of which a part lives at any one time. Resident outputs are
// parameters already, views take nothing; workspace and received copies are left out.
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
