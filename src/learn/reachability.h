// Which units feed which, directly and by any number of steps, as dense matrices: for message
// passing and poolings.
#pragma once

#include "learn/torch.h"
#include "place/groups/units.h"

namespace berth::learn {

// All [units, units]. Row v says which units u count for v, and every row that is not empty sums to
// 1: means, not sums as published, so that what a policy makes of them does not depend on how large
// the graph is or how many units read one weight.
struct Reachability {
  // More would take a policy that reads all units at every step beyond any memory.
  static constexpr std::size_t kMostUnits = 256;

  Tensor feeders;      // u feeds v
  Tensor readers;      // v feeds u
  Tensor ancestors;    // u comes before v
  Tensor descendants;  // v comes before u
  Tensor parallel;     // neither, nor v itself

  static Reachability of(const place::Units& units, at::ScalarType real);
};

}  // namespace berth::learn
