// Tensors that move together: made by one item and read by the same others. A tensor is sent to a
// device once, however many items there read it. Edges between pairs of items cannot express that:
// the weights of a recurrent network, read by every step, would seem to be sent again for each.
#pragma once

#include <cstdint>
#include <vector>

#include "place/groups/units.h"

namespace berth::learn {

struct TensorGroup {
  std::uint32_t from = 0;
  std::vector<std::uint32_t> readers;  // other items, ascending, at least one
  double bytes = 0;

  bool operator==(const TensorGroup&) const = default;
};

// Those of a graph divided into units, in ascending order by maker, then by readers, all different.
std::vector<TensorGroup> tensor_groups_of(const Graph& graph, const place::Units& units);

// The same with units sorted into groups.
std::vector<TensorGroup> tensor_groups_of_groups(const std::vector<TensorGroup>& of_units,
                                                 const std::int64_t* group_of_unit);

}  // namespace berth::learn
