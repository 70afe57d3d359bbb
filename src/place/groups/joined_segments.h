// Joins neighbours in a sequence of things that have work, memory and a device set until few are
// left.
//
// Every item begins as a segment of its own. Of the neighbouring segments with the same device set,
// the pair is joined first whose work together, less the seconds of transfer between the two, is
// least (ties: fewer items by weight, then the earlier pair). But a pair that would have more than
// 2/N of all work, parameters or outputs, N segments to be left, waits until all others are joined,
// and then the pair goes first that exceeds it least. (What one of the two adds next to nothing to
// does not count: a huge weight may join the op that reads it.) For work alone waiting pairs would
// never be needed: if k segments were left and all pairs of neighbours above 2/N, these k - 1
// pairs, in which no segment is more than twice, would hold more than 2 (k - 1) / N of at most 2,
// so k would be N at most.
//
// Transfers between two segments are found over the edges of the one that has fewer, so the whole
// takes O(edges log items) where segments grow evenly.
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

// For every item the number of its segment, in the order of the sequence: at most `most`, if the
// device sets allow. `edges` has a row an item and every edge at both its ends.
std::vector<std::uint32_t> join_segments(const std::vector<SegmentItem>& items,
                                         const Rows<SegmentEdge>& edges, std::size_t most);

}  // namespace berth::place
