// The order in which the nodes of a graph can run. ONNX requires files to list nodes in such an
// order; some do not.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontends/onnx/model.h"

namespace berth::onnx {

// For messages: `node "conv1" (Conv)`, or by its output when it has no name.
std::string describe(const Node& node);

// Names that a graph reads and does not make itself: what it captures from around it.
std::vector<std::string_view> captured_names(const Graph& graph);

// Positions in `nodes`, every node behind those whose outputs it or its subgraphs read; as listed
// wherever that is possible. Throws InputError when two nodes make the same name and when nodes
// wait for each other.
std::vector<std::uint32_t> execution_order(std::span<const Node> nodes, std::string_view source);

}  // namespace berth::onnx
