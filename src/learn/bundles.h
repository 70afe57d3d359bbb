// Tensors that travel together: made by one item and read by the same others. A tensor goes to a
// device once however many items there read it, which edges between pairs of items cannot say: the
// weights of a recurrent network, read by every step, would seem to be sent again for each.
#pragma once

#include <cstdint>
#include <vector>

#include "place/units.h"

namespace berth {

struct Bundle {
  std::uint32_t from = 0;
  std::vector<std::uint32_t> readers;  // other items, ascending, at least one
  double bytes = 0;

  bool operator==(const Bundle&) const = default;
};

// Of a graph cut into units; ascending by maker, then by readers, all different.
std::vector<Bundle> bundles_of(const Graph& graph, const Units& units);

// The same with units sorted into groups.
std::vector<Bundle> bundles_of_groups(const std::vector<Bundle>& of_units,
                                      const std::int64_t* group_of_unit);

}  // namespace berth
