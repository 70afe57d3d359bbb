// Colocation groups joined wherever one feeds only one other, over and over: the heuristic of the
// first learned placers (Mirhoseini et al., Device Placement Optimization with Reinforcement
// Learning, 2017: "if the output of an operation X is consumed only by another operation Y, then
// operations X and Y are co-located").
//
// Feeding means tensors; `after` carries none. Groups whose lists of allowed devices differ are
// never joined. Joining never gives a group new readers, so what can be joined now can be joined
// later too, and the result does not depend on the order.
//
// Groups are taken from the end of the graph to its begin. Where groups wait for one another in no
// circle, all readers of a group are final when it is reached and one round does it all; otherwise
// rounds are repeated until one joins nothing. O(edges) per round.
#pragma once

#include <cstdint>
#include <vector>

#include "cost/problem.h"

namespace berth::place {

// The part of every group: the number of one of its groups.
std::vector<std::uint32_t> join_sole_readers(const Problem& problem);

}  // namespace berth::place
