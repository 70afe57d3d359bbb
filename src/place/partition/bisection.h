// Recursive bisection: splits the vertices in two with a small cut, then each side again, until
// every part has its vertices. The partitioner of `mincut`, and the stand-in when a library fails.
//
// Splitting parts a..b into halves gives the left side the sum of its parts' shares. A bisection is
// tried from several starts, each improved by Fiduccia-Mattheyses passes, and the smallest cut of
// those within the allowed weights wins:
//   - the best prefix of the topological order (a cut through time),
//   - regions grown from the first, the last and two random vertices, always by the vertex that
//     adds least to the cut (a cut through the layers).
// An FM pass moves the vertex of largest gain
//   gain(v) = bytes to the other side - bytes to its own
// that keeps the weights within bounds (or brings them nearer), each vertex once, and then keeps
// the best prefix of its moves; it ends early when a fiftieth of the vertices brought nothing new.
// Passes repeat while they help, at most 8.
//
// The left side may weigh  share x (1 +- imbalance)  of the total (of the smaller side's weight),
// so errors multiply down the recursion: this is a loose balance by design. Vertices bound to a
// part stay on its side throughout.
//
// O(log parts x starts x passes x edges x log edges). Flat, not multilevel: on meshes METIS finds
// smaller cuts; on the narrow graphs of neural networks they are close.
//
// Reference: Fiduccia and Mattheyses, "A linear-time heuristic for improving network partitions",
// DAC 1982. Gains are bytes, too many different ones for the paper's buckets, hence the heaps.
#pragma once

#include "place/partition/partition_input.h"

namespace berth::place {

Parts recursive_bisection(const PartitionInput& input, double imbalance);

}  // namespace berth::place
