// What would make a plan fit, in numbers: "out of memory" alone does not tell the user what to do
// next. Suggestions that are estimates say "about".
#pragma once

#include <string>
#include <vector>

#include "report/analysis.h"

namespace berth::report {

// Why no plan can fit, as a sentence; empty when this was not proved.
std::string infeasibility_proof(const Analysis& analysis);

// One sentence each, most useful first; at least two. The plan must be infeasible.
std::vector<std::string> remedies(const Analysis& analysis);

}  // namespace berth::report
