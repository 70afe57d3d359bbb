// The tensors that cross from one part of a graph to another, whatever the parts are.
#pragma once

#include <cstddef>
#include <vector>

#include "graph/graph.h"

namespace berth::place {

// Calls visit(tensor, from, to, bytes) once for every tensor and every other part that reads it, in
// the order of tensors. `part_of` gives an op's part as an index below `parts`.
template <class PartOf, class Visit>
void for_each_crossing(const Graph& graph, std::size_t parts, const PartOf& part_of,
                       const Visit& visit) {
  std::vector<TensorId> last_seen(parts);  // by reading part
  for (std::size_t index = 0; index < graph.tensor_count(); ++index) {
    const TensorId tensor(index);
    const std::size_t from = part_of(graph.producer(tensor));
    for (const OpId consumer : graph.consumers(tensor)) {
      const std::size_t to = part_of(consumer);
      if (to == from || last_seen[to] == tensor) continue;
      last_seen[to] = tensor;
      visit(tensor, from, to, static_cast<double>(graph.bytes(tensor)));
    }
  }
}

}  // namespace berth::place
