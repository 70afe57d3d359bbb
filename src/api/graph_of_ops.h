// Converts ops of the public interface to a graph, and an op of a graph back. The rules are those
// of graph files; messages name the op instead of a line.
#pragma once

#include <string>
#include <vector>

#include "berth/graph.h"
#include "graph/graph.h"

namespace berth::v1 {

// Throws InputError.
berth::Graph graph_of_ops(const std::string& name, const std::vector<Op>& ops,
                          const std::vector<std::string>& outputs);

Op op_of_graph(const berth::Graph& graph, OpId op);

}  // namespace berth::v1
