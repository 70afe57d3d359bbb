// Forks and joins. Ops between an op x and a later op m either share the device of m, and then run
// one after the other, or pay for transfers.
//
// Let R be ops that m waits for, and d the device of m. Let x be one of them with two or more paths
// to m, and assume a state of x: on d, or on another device of some kind. For an op v of R let
// away(v) be a lower bound on the start of m if v is not on d: the path to v, by the table of
// path_bound.h and from x, and the path from v to m, on which some tensor has to be sent to d (and
// if x is on d, a tensor has to be sent away on the path from x to v). If m starts before L, every
// v with away(v) >= L is on d. If d has one slot, these ops run one after the other, each no
// earlier than its path allows and with its path to m still to go. Jackson's schedule
// (one_machine.h) is a lower bound for that. So m starts no earlier than
//
//   the least over sets S, taken in falling order of away(v), of
//   max(away of the next op, Jackson's schedule of S).
//
// As x is in one of its states, m starts no earlier than the least of these over the states. This
// is done for every kind of d. The start of m in the table is raised to the result, and later ops
// build on it. So every fork along a path adds its own delay, even if the step as a whole has
// slack.
//
// Colocation: the ops of a group are all on d or none is. Without priorities, the companions of an
// op of S also run on d before what follows it there (queue_order.h), and count as work.
//
// R consists of the ancestors of m that end latest, a few dozen; x is each of the first few forks
// among them. Only joins on nearly critical paths are looked at. O(joins x edges of R x kinds^4). R
// is smaller where the graph has many joins; if it would be too small to gain anything, nothing is
// done.
#pragma once

#include "bounds/fork_region.h"
#include "bounds/path_tails.h"

namespace berth::bounds {

struct ForkJoinOptions {
  double critical_share = 0.8;  // of the longest path: shorter ones are left out
  std::size_t most_members = 48;
  std::size_t most_forks = 3;
  double most_visits = 1.5e5;  // members over all joins
};

// The table with starts raised by forks and joins; nothing where that changes nothing.
std::optional<PathTable> raise_joins(const PathTable& table, const PathTails& tails,
                                     const ForkJoinOptions& options = {});

}  // namespace berth::bounds
