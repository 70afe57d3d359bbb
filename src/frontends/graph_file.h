// The graph format (`berth.graph`, docs/formats.md), read and written. The reader streams: besides
// the memory-mapped file it holds only the graph it builds and 32 bytes per edge, never a document
// tree. A million ops load in seconds.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "graph/graph.h"

namespace berth {

// `source` names the text in messages. Throws InputError, also for an unknown key of an op or an
// output. Unknown keys of the graph itself are added to `warnings`, unless they are misspelt ones.
Graph parse_graph(std::string_view text, std::string_view source,
                  std::vector<std::string>* warnings = nullptr);
std::string graph_to_json(const Graph& graph);

}  // namespace berth
