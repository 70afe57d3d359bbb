// Sentences in which placers report what they found.
#pragma once

#include <string>

#include "sim/outcome.h"

namespace berth::place {

// Empty for a plan that fits; else what is wrong with the best that was found.
std::string remark_on(const Outcome& best);

enum class Repair { not_tried, failed, worked };

// For placers that first make a plan and then repair it: says that the plan itself did not fit (or
// lacked a route) and what the repair achieved. Empty when the plan was fine. `what` names the
// plan: "the partition".
std::string remark_on_repair(const std::string& what, const Outcome& raw, Repair repair,
                             const Outcome& best);

}  // namespace berth::place
