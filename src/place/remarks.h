// Sentences that placers say about what they found.
#pragma once

#include <string>

#include "sim/outcome.h"

namespace berth::place {

// Empty for a plan that fits; else what is wrong with the best that was found.
std::string remark_on(const Outcome& best);

enum class Repair { not_tried, failed, worked };

// For placers that make a plan first and repair it after: says that the plan itself did not fit (or
// had no route) and what came of it. Empty when the plan was fine. `what` names it: "the
// partition".
std::string remark_on_repair(const std::string& what, const Outcome& raw, Repair repair,
                             const Outcome& best);

}  // namespace berth::place
