// Acyclic coarsening: joins colocation groups into at most a given number of parts.
//
// Ops are put into a depth-first topological order: from each op without successors back over what
// it needs. So paths stay together, and a weight stands right before the first op that reads it. A
// group stands where its first op does, and neighbours are joined (joined_segments.h). Work is that
// of the fastest device; transfers take the mean time per byte of the cluster's routes.
//
// Segments of a topological order never depend on each other in a cycle, so the graph of the parts
// is acyclic, except for cycles caused by colocation. Only groups with the same device set are
// joined. Where device sets alternate so often that joining neighbours cannot reach the number,
// segments that are neighbours among those of one device set are joined too, which may create
// cycles. If there are more device sets than the number asked for, there are as many parts as
// device sets.
#pragma once

#include <cstdint>
#include <vector>

#include "cost/problem.h"

namespace berth::place {

std::vector<OpId> depth_first_order(const Graph& graph);

// The part of every group, numbered without gaps. With at most `most` groups each is its own.
std::vector<std::uint32_t> coarsen(const Problem& problem, std::size_t most);

}  // namespace berth::place
