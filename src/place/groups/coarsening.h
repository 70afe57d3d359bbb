// Acyclic coarsening: colocation groups joined to at most so many parts.
//
// Ops are put into a depth-first topological order: from each op that nothing follows back over
// what it needs, so that paths stay together and a weight stands right before the first op that
// reads it. Groups stand where their first op does, and neighbours are joined
// (joined_segments.h). Work is that of the fastest device; transfers go at the mean pace of the
// cluster's routes.
//
// Segments of a topological order never wait for one another in a circle, so the parts' graph is
// acyclic, but for what colocation ties together. Only groups with the same list of allowed devices
// are joined. Where such lists alternate so often that neighbours cannot get down to the number,
// what is next to each other among the groups of one list is joined too, which may close circles;
// and if there are more lists than that, there are as many parts as lists.
#pragma once

#include <cstdint>
#include <vector>

#include "cost/problem.h"

namespace berth::place {

std::vector<OpId> depth_first_order(const Graph& graph);

// The part of every group, numbered without gaps. With at most `most` groups each is its own.
std::vector<std::uint32_t> coarsen(const Problem& problem, std::size_t most);

}  // namespace berth::place
