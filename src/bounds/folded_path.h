// A path that comes back: in a training step the path of gradients runs back over the layers that
// the forward path went through, and what is colocated with a layer is where the layer is. The
// recurrence of path_bound.h forgets that: it may leave a device on the way back, where that saves
// a wait, and have stayed there on the way out. Here both ways are decided together.
//
// Along one path c_1 .. c_m, every op depending on the one before, take pairs of ops of one group
// that are nested, i_1 < i_2 < .. < i_P < j_P < .. < j_2 < j_1. Let F(p, d) be the least time from
// the start of i_p to the end of j_p if their group is on device d. Then
//
//   F(p, d) = costs of i_p and j_p + min over devices d' of
//                 way(i_p to i_p+1, d to d') + F(p+1, d') + way(j_p+1 to j_p, d' to d)
//
// where a way is the least time from the end of one op to the start of the other over the ops
// between them, which choose their devices freely, and the innermost pair is joined by the way from
// i_P to j_P. On one device an edge costs what queues there in between (queue_order.h), else the
// transfer; an op also waits for companions that become ready with it and go first. What comes
// before i_1 and after j_1 is known from the tables of path_bound.h.
//
// Devices count by kind; beside the kind of d' it matters whether d' is d. O(m kinds^4). The path
// is one that is already known to be long; the nested pairs are the most there are.
#pragma once

#include "bounds/path_tails.h"

namespace berth::bounds {

// Of the path of distinct ops, each waiting for the one before by a tensor or `after`. 0 where
// nothing on it is nested. To be shrunk for rounding.
double folded_seconds(const PathTable& table, const PathTails& tails,
                      const std::vector<OpId>& path);

}  // namespace berth::bounds
