// Which units feed which, directly and over any number of edges, as dense matrices: for message
// passing and poolings. Takes memory in the square of the units, so it is limited to few of them.
#pragma once

#include "learn/torch.h"
#include "place/groups/units.h"

namespace berth::learn {

// All [units, units]. Row v says which units u count for v, and every row that is not empty sums to
// 1: means, not sums as published, so that the values do not depend on the size of the graph or on
// how many units read one weight.
struct Reachability {
  // A policy that reads all units at every step would need too much memory for more.
  static constexpr std::size_t kMostUnits = 256;

  Tensor feeders;      // u feeds v
  Tensor readers;      // v feeds u
  Tensor ancestors;    // u comes before v
  Tensor descendants;  // v comes before u
  Tensor parallel;     // neither, nor v itself

  static Reachability of(const place::Units& units, at::ScalarType real);
};

}  // namespace berth::learn
