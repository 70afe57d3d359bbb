// A path that returns to the same groups. In a training step the path of gradients runs back over
// the layers of the forward path, and ops colocated with a layer are on the device of the layer.
// The recurrence of path_bound.h does not remember this: for one path it may assume one device for
// a layer on the way out and another on the way back. Here both are decided together.
//
// Let c_1 .. c_m be a path on which every op depends on the one before. Take pairs of ops of one
// group that are nested, i_1 < i_2 < .. < i_P < j_P < .. < j_2 < j_1. Let F(p, d) be the least time
// from the start of i_p to the end of j_p if their group is on device d. Then
//
//   F(p, d) = costs of i_p and j_p + min over devices d' of
//                 way(i_p to i_p+1, d to d') + F(p+1, d') + way(j_p+1 to j_p, d' to d)
//
// where a way is the least time from the end of one op to the start of the other over the ops
// between them, which may be on any device. The innermost pair is joined by the way from i_P to
// j_P. If both ops of an edge share a device, the edge costs what queues there in between
// (queue_order.h), else the transfer. An op also waits for companions that become ready with it and
// go first. What comes before i_1 and after j_1 is taken from the tables of path_bound.h.
//
// Devices are counted by kind; besides the kind of d' it matters whether d' is d. O(m kinds^4). The
// path is one already known to be long. As many nested pairs as possible are used.
#pragma once

#include "bounds/path_tails.h"

namespace berth::bounds {

// The bound for a path of distinct ops, where each waits for the one before by a tensor or `after`.
// 0 where no pair is nested. The caller has to shrink it for rounding.
double folded_seconds(const PathTable& table, const PathTails& tails,
                      const std::vector<OpId>& path);

}  // namespace berth::bounds
