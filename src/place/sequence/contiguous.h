// contiguous: cuts the sequence of ops into segments, one per device.
//
// Idea. A path of ops should be cut rather than scattered: each change of device costs a transfer.
// So:
//
//   1. When the graph is linear, the best placement is found by dynamic programming over (op,
//      device), memory included; see linear_plan.h. Without memory limits this is the optimum of
//      all placements, returns to a device included; with them it is, as long as the number of
//      states stays below its limit.
//   2. Otherwise, and for linear graphs too long for that, the ops are put in sequence: as
//      colocation groups in topological order and, where the graph has them, as layers (layers.h).
//      Each sequence is cut into segments (segment_plan.h) for the least latency, as if nothing
//      overlapped, and for the least bottleneck, as if everything did, with 1, 2, ... segments.
//      The best of these plans is found by simulation. When none fits, the cut that fills the
//      devices most evenly is tried too.
//
// A backward op that is colocated with its forward op, or has its layer's label, is in the same
// segment, so a training step runs through the devices forwards and then backwards.
//
// Ops that may not run on their segment's device, or find it full by the estimate of memory, go to
// the next device with room in the filling order (fill_order.h). All is repeated with tighter
// limits until a plan fits.
//
// Cost. Linear graphs O(ops x devices^2), with tight memory up to 1024 times that for short ones.
// Others O(ops + edges) and a table of at most 3e8 steps, fewer where time is short: at most 512
// cut points are tried, for long sequences the cheapest of 512 stretches of equal work. Then one
// simulation per plan, at most 16 segment counts per sequence.
//
// Limits. Segments of a topological order are not the natural parts of a graph with wide parallel
// branches, and a device gets only one segment (unless the graph is linear).
//
// Reference: Bokhari, "Partitioning problems in parallel, pipelined, and distributed computing",
// IEEE Trans. Computers 1988; for training pipelines Narayanan et al., "PipeDream", SOSP 2019.
#pragma once

#include "place/placer.h"

namespace berth::place {

Placer contiguous_placer();

}  // namespace berth::place
