// Problems small enough to try every placement, and as odd as can be.
#pragma once

#include <cstdint>

#include "cost/problem.h"

namespace berth {

// Slots, aliases, `after`, ops and transfers that take no time, ties everywhere in a third of them,
// tight memory, missing routes, pins and forbidden devices.
Problem odd_problem(std::uint64_t seed);

}  // namespace berth
