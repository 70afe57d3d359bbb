// Joins neighbours in a sequence of items, which have work, memory and a device set, until few
// segments are left.
//
// Every item begins as a segment of its own. Of all neighbouring segments with the same device set,
// the pair is joined first whose work together, less the seconds of transfer between the two, is
// least (ties: fewer items by weight, then the earlier pair). With N segments to be left, a pair
// that would have more than 2/N of all work, parameters or outputs has to wait until no other pair
// is left; then the pair with the least excess goes first. (Where one of the two adds almost
// nothing, this does not count: a huge weight may join the op that reads it.)
//
// For work alone no pair would ever have to wait. Suppose k segments are left and every pair of
// neighbours exceeds 2/N. Together the k - 1 pairs exceed 2 (k - 1) / N. But no segment is in more
// than two pairs, so together they have at most 2. So k is at most N.
//
// Transfers between two segments are found over the edges of the segment that has fewer, so the
// whole takes O(edges log items) where segments grow evenly.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "graph/graph.h"

namespace berth::place {

struct SegmentItem {
  double work_seconds = 0;
  std::array<double, 3> shares = {};  // of what is to be spread: work, parameters, outputs
  std::uint32_t weight = 1;           // how many things the item stands for
  std::uint32_t device_set = 0;
};

struct SegmentEdge {
  std::uint32_t to = 0;  // item
  double transfer_seconds = 0;
};

// The number of its segment per item, in the order of the sequence; at most `most` segments if the
// device sets allow. `edges` has one row per item and lists every edge at both ends.
std::vector<std::uint32_t> join_segments(const std::vector<SegmentItem>& items,
                                         const Rows<SegmentEdge>& edges, std::size_t most);

}  // namespace berth::place
