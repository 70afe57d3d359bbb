// What a search moves at once: families of blocks of colocation groups, from single groups to
// large parts of the network. A family is a partition of (some of) the groups; the search keeps one
// device per group and moves a block of any family as a whole, so no level is ever final: what was
// settled for a layer can still be undone for one of its ops.
//
// There are three sources. Groups alone. Matching: blocks that exchange most bytes for their
// work are joined in pairs, level by level, as multilevel partitioners do. Names: ops that share
// their layer label, or a path of their name ("decoder_1/step_7"), belong together in whoever's
// mind made the model.
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

// Fine before coarse; at least one. Families that repeat another in number of blocks are left
// out.
std::vector<Family> make_families(const Problem& problem, const GroupGraph& graph);

}  // namespace berth::place
