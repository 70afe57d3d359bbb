// The graph as a sequence of layers.
//
// Layers are the `layer` labels of the graph in order of first appearance in the topological order
// (with free ops late, see free_ops.h). Colocation groups are never split: a group belongs to the
// layer of its first labelled op. Groups without a label belong to the layer before them; in a
// graph without labels every group is a layer of its own.
#pragma once

#include <vector>

#include "cost/problem.h"

namespace berth::place {

struct Layers {
  std::size_t count = 0;
  std::vector<std::uint32_t> of_group;  // by group
};

Layers find_layers(const Problem& problem);
// Every group a layer, whatever the labels.
Layers groups_as_layers(const Problem& problem);

}  // namespace berth::place
