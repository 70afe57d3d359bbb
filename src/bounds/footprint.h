// The bytes that a colocation group takes on its device in every plan, wherever that device is and
// whatever else runs there. Bounds and proofs of infeasibility rely on these only.
//
//  - resident: param_bytes during the whole step, and the group's graph outputs, which are kept
//    until the end. At the end of the step a device holds the resident bytes of all its groups at
//    once.
//  - needed: the most that the group provably needs at one instant. While an op runs, its device
//    holds the parameters of its group, the op's workspace and outputs, and every input that has
//    memory of its own, made there or received. (A view or a weight may share bytes already
//    counted, so these inputs are left out.)
//
// An op that starts and ends at the same instant appears in no level of memory, so only ops that
// last count: ops whose least cost moves the clock at any time of any plan. At every instant of a
// step an op runs or a transfer is under way, so a step is no longer than all costs and all
// transfers together. An op lasts if its cost is not lost to rounding when added to that sum. With
// fusion, inner tensors take no memory and a group may cost nothing, so needed is resident.
//
// Sums that do not fit in 63 bits stay at the largest value. O(ops + edges).
#pragma once

#include <cstdint>
#include <vector>

#include "bounds/bounds.h"
#include "cost/problem.h"

namespace berth::bounds {

struct Footprints {
  std::vector<std::int64_t> resident_bytes;  // by group
  std::vector<std::int64_t> needed_bytes;    // by group; never less than resident
  std::vector<OpId> neediest_op;             // by group: the op that sets needed_bytes, or none
  // By op: its workspace, outputs and inputs; 0 for ops that may end the instant they start, and
  // for all of them with fusion.
  std::vector<std::int64_t> running_bytes;
  std::int64_t total_resident_bytes = 0;
  std::int64_t most_needed_bytes = 0;

  // Whether the group can be on the device at all.
  bool fits(GroupId group, std::int64_t usable_bytes) const {
    return needed_bytes[group.index()] <= usable_bytes;
  }
};

Footprints measure_footprints(const Problem& problem, Tasks tasks);
// As if memory were no limit: nothing takes bytes.
Footprints no_footprints(const Problem& problem);

// As prove_infeasible() of bounds.h, from footprints that are there already.
Infeasibility prove_infeasible(const Problem& problem, const Footprints& footprints);

// left + right, or the largest value where that does not fit.
std::int64_t add_bytes(std::int64_t left, std::int64_t right);

// A tensor whose bytes are nobody else's: neither inside param_bytes nor a view of another.
bool has_own_memory(const Graph& graph, TensorId tensor);

}  // namespace berth::bounds
