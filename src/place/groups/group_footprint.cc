#include "place/groups/group_footprint.h"

namespace berth::place {

std::vector<GroupFootprint> group_footprints(const Problem& problem) {
  const Graph& graph = problem.graph();
  std::vector<GroupFootprint> footprints(problem.group_count());
  for (std::size_t index = 0; index < problem.op_count(); ++index) {
    const OpId op(index);
    GroupFootprint& footprint = footprints[problem.group(op).index()];
    footprint.param_bytes += static_cast<double>(graph.param_bytes(op));
    for (std::size_t k = 0; k < graph.output_count(op); ++k) {
      const TensorId tensor = graph.output(op, k);
      if (graph.resident(tensor) || graph.alias(tensor) != Graph::kNone) continue;
      footprint.output_bytes += static_cast<double>(graph.bytes(tensor));
    }
  }
  return footprints;
}

}  // namespace berth::place
