// sct: memory-aware small communication times.
//
// Idea. Earliest task first spreads ops over idle devices although their outputs then have to be
// sent. SCT first chooses a favourite child for every op: the reader that should follow it on the
// same device. The choice makes the longest path shortest when these edges cost no communication
// (favourite_child.h). The list scheduler then keeps the device of an op free for the favourite
// child for as long as the child would have to wait for the data elsewhere. Meanwhile only ops that
// gain nothing elsewhere may start there (list_schedule.h). Colocation, memory, unequal devices and
// links are handled as in etf.h.
//
// Deviations. (1) The published method finds the favourite children by a linear program; here they
// are matched greedily, since no solver at hand takes the program of a graph of a million ops. So
// the bound of Hanen and Munier, (2 + 2r) / (2 + r) of the optimum with r <= 1 the largest ratio of
// communication to computation, does not hold. (2) The published method lets a device wait for the
// favourite child. By our execution rules a device never waits while it has a ready op, so the
// reservation decides where ops go, not when they start. (3) Several tensors between two ops count
// as the most expensive of them.
//
// Cost. That of etf plus O(edges log edges).
//
// Limits. Like etf it looks one op ahead. It assumes that one child matters most, although a tensor
// read by many ops is sent once to each device.
//
// Reference: Hanen, Munier, "An approximation algorithm for scheduling dependent tasks on m
// processors with small communication delays", Discrete Applied Mathematics 2001; with memory as
// m-SCT in Jeon et al., "Baechi", SoCC 2020.
#pragma once

#include "place/placer.h"

namespace berth::place {

Placer sct_placer();

}  // namespace berth::place
