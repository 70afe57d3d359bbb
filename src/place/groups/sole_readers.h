// Joins a colocation group with another wherever it feeds only that one, repeatedly: the heuristic
// of the first learned placers (Mirhoseini et al., Device Placement Optimization with Reinforcement
// Learning, 2017: "if the output of an operation X is consumed only by another operation Y, then
// operations X and Y are co-located").
//
// Feeding means tensors; `after` carries none. Groups with different device sets are never joined.
// Joining never gives a group new readers, so what can be joined now can be joined later too, and
// the result does not depend on the order.
//
// Groups are taken from the end of the graph to its beginning. Where groups do not depend on each
// other in a cycle, all readers of a group are final when it is reached, and one round is enough.
// Otherwise rounds are repeated until one joins nothing. O(edges) per round.
#pragma once

#include <cstdint>
#include <vector>

#include "cost/problem.h"

namespace berth::place {

// The part of every group: the number of one of its groups.
std::vector<std::uint32_t> join_sole_readers(const Problem& problem);

}  // namespace berth::place
