// What would make a plan fit, in numbers: for someone whose model does not, "out of memory" is not
// an answer. The suggestions are estimates and say so by "about".
#pragma once

#include <string>
#include <vector>

#include "report/analysis.h"

namespace berth::report {

// Why no plan at all can fit, as a sentence; empty when nothing of the kind was shown.
std::string infeasibility_proof(const Analysis& analysis);

// One sentence each, most useful first; at least two. The plan must be infeasible.
std::vector<std::string> remedies(const Analysis& analysis);

}  // namespace berth::report
