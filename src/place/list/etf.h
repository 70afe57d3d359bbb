// etf: memory-aware earliest task first.
//
// Idea. Keep the ops whose predecessors are all placed. Of all pairs of such an op and a device
// with room for it, take the pair that can start earliest, place it, and repeat:
//
//   start(i, d) = max(device d is free, arrival of every input of i on d)
//   place (i, d) with the least start(i, d) + (cost(i, d) - least cost of i)
//
// The arrival accounts for the transfer's route and for channels that earlier transfers occupy. The
// term in parentheses is 0 on equal devices, where this is ETF as published. On unequal ones a slow
// device must be free earlier by as much as it is slower. The first op of a colocation group
// decides for the group (with the cost of the whole group) and reserves its parameters. Where no
// device has room, the op goes to the one with most room left, and the whole run is repeated with
// tighter limits until the simulated plan fits (evaluator.h).
//
// Guarantee. Without memory limits and with equal devices and links without contention, ETF's
// schedule is at most (2 - 1/devices) times the optimum without communication plus the
// communication along one path (Hwang et al.). With limits, unequal devices or shared links there
// is no guarantee.
//
// Cost. O((ops x log ops + edges) x devices); a million ops on eight devices take seconds.
//
// Limits. It never leaves a device idle on purpose and never looks ahead. So it may start a short
// op just before a critical one becomes ready, and it spreads ops whose outputs are expensive to
// collect.
//
// Where priorities may be set, its planned order is tried as well.
//
// Reference: Hwang, Chow, Anger, Lee, "Scheduling precedence graphs in systems with interprocessor
// communication times", SIAM J. Comput. 1989; with memory as m-ETF in Jeon et al., "Baechi: fast
// device placement of machine learning graphs", SoCC 2020.
#pragma once

#include "place/placer.h"

namespace berth::place {

Placer etf_placer();

}  // namespace berth::place
