// topo: fill one device after the other in topological order.
//
// Idea. Walk through the ops in topological order and use one device until it is full, then the
// next. Full means that the device holds its share of what all ops need, or that its memory would
// not suffice:
//
//   cap(d) = min(memory of d, sum of need / accelerators + largest need),
//   need   = parameters + outputs (neither views nor weights) of a colocation group
//
// A group is placed, and its need counted, with its first op. Accelerators come first; CPUs take
// what is left, up to their memory. An op that may not run on the current device goes to the first
// device of the same order that it may use and that has room; the others stay with the current
// device. Free ops (weights, inputs) go with their first reader. Memory is estimated op by op
// (memory_estimate.h), and the run is repeated with tighter limits until the plan fits.
//
// Cost. O(ops + edges + devices).
//
// Limits. It looks neither at costs nor at transfers: a path gets few cuts, but branches that could
// run in parallel end up on one device. It is a baseline, and a way to make models fit.
//
// Deviation: Baechi counts the largest need of an op, this one of a group, since a group cannot be
// split.
//
// Reference: m-TOPO in Jeon et al., "Baechi: fast device placement of machine learning graphs",
// SoCC 2020.
#pragma once

#include "place/placer.h"

namespace berth::place {

Placer topo_placer();

}  // namespace berth::place
