// What a search moves at once: families of blocks of colocation groups, from single groups to large
// parts of the network. A family is a partition of (some of) the groups. The search keeps one
// device per group and moves a block of any family as a whole, so no level is final: after a layer
// was moved, a single op of it can still be moved back.
//
// Families come from three sources. Single groups. Matching: blocks that exchange the most bytes
// for their work are joined in pairs, level by level, as in multilevel partitioners. Names: ops
// with the same layer label, or the same leading path of their name ("decoder_1/step_7"), which the
// author of the model put together.
#pragma once

#include <vector>

#include "place/groups/group_costs.h"
#include "place/groups/group_graph.h"

namespace berth::place {

struct Family {
  Rows<GroupId> blocks;
  std::vector<std::uint32_t> block_of;  // by group; kNone where it belongs to none
  static constexpr std::uint32_t kNone = 0xffffffffu;
};

// Single groups first, then matchings from fine to coarse, then names. A named family is left out
// if it has as many blocks as there are groups, or as another named one, since it then most likely
// is the same partition.
std::vector<Family> make_families(const Problem& problem, const GroupGraph& graph);

}  // namespace berth::place
