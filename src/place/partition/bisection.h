// Recursive bisection: splits the vertices in two with a small cut, then each side again, until
// every part has its vertices. It is the partitioner of `mincut`, and the replacement when a
// library fails.
//
// When parts a..b are split in two, the left side gets the sum of its parts' shares. A bisection is
// tried from several starts, each improved by Fiduccia-Mattheyses passes, and the smallest cut of
// those within the allowed weights wins:
//
//   - the best prefix of the topological order (a cut through time),
//   - regions grown from the first, the last and two random vertices, always by the vertex that
//     adds least to the cut (a cut through the layers).
//
// An FM pass moves the vertex of largest gain
//
//   gain(v) = bytes to the other side - bytes to its own
//
// that keeps the weights within bounds (or brings them nearer), each vertex once, and then keeps
// the best prefix of its moves. It ends early when a fiftieth of the vertices brought no
// improvement. Passes repeat while they help, at most 8.
//
// The left side may weigh share x (1 +- imbalance) of the total (of the smaller side's weight), so
// deviations multiply down the recursion: the balance is loose by design. Vertices bound to a part
// stay on its side throughout.
//
// O(log parts x starts x passes x edges x log edges). It is flat, not multilevel: on meshes METIS
// finds smaller cuts; on the narrow graphs of neural networks they are close.
//
// Reference: Fiduccia and Mattheyses, "A linear-time heuristic for improving network partitions",
// DAC 1982. Gains are bytes and have too many distinct values for the paper's buckets, so heaps are
// used.
#pragma once

#include "place/partition/partition_input.h"

namespace berth::place {

Parts recursive_bisection(const PartitionInput& input, double imbalance);

}  // namespace berth::place
