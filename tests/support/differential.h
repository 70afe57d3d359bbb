// Holds the engines to the plain reference on one random problem: outcomes of both engines and the
// whole timeline.
#pragma once

#include <cstdint>

#include "support/random_problem.h"

namespace berth {

// What the random problems really exercised; a generator that stopped making one of these would
// make the comparison say less than it seems to.
struct Coverage {
  int fused = 0, with_priorities = 0, infeasible = 0, aliases = 0, zero_length = 0, ties = 0;
};

// One problem, several plans through one simulator, so that its scratch memory is reused. Reports
// differences as test failures.
void check_engines(std::uint64_t seed, const RandomProblemOptions& options, Coverage& coverage);

}  // namespace berth
