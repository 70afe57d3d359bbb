// What a policy places: units, which are sets of ops that go to one device together.
//
// They are made in one of four ways, by the option `units`:
//
//   N      at most N units by acyclic coarsening (coarsening.h; the default, 256). Colocation
//          groups are put into a depth-first topological order, so that paths stay together. Every
//          group begins as a segment of its own. Then neighbouring segments are joined, first the
//          pair with the least work after the transfer it saves, until N are left. The graph of the
//          units is acyclic, except for cycles caused by colocation and device sets. With at most N
//          groups these are the units, as with `ops`.
//   coloc  the given colocation labels, then groups joined with their only reader (sole_readers.h,
//          ColocRL).
//   ops    every colocation group by itself; an op without a label is a group of its own.
//   auto   `ops` or 256, whichever gives the shorter list schedule (list_plan.h), simulated. A
//          schedule decides a unit at its first op and does not see what its other ops read: on
//          networks of cells 256 units cost a fifth of the step. Where it does see single ops, in
//          recurrent networks, it separates what belongs together. O((ops + edges) x devices).
//
// Always: colocated ops share a unit. Units never join ops with different device sets, so every
// device allowed for one op of a unit is allowed for all. Every op is in exactly one unit. Units
// are numbered in the order in which a list scheduler would take them: by the longest path from any
// of their ops to the end of the step (upward_rank.h). What feeds a unit comes before it, except
// where colocation ties together ops that are far apart, such as an op and its gradient; then the
// op decides. O(ops x devices + edges log ops).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "cost/problem.h"
#include "plan/plan.h"

namespace berth::place {

struct UnitEdge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  double bytes = 0;  // of the distinct tensors that ops of `to` read from ops of `from`
};

struct Units {
  std::vector<std::uint32_t> of_op;
  Rows<OpId> members;           // by unit, ascending
  std::vector<UnitEdge> edges;  // between different units, each pair and direction once, ascending

  std::size_t size() const { return members.size(); }
};

// What `auto` chooses from.
inline constexpr std::string_view kFineUnits = "ops";
inline constexpr std::string_view kCoarseUnits = "256";
inline constexpr std::string_view kAutoUnits = "auto";

// `text` is the option's value. Throws InputError naming it when it is none of the four.
Units make_units(const Problem& problem, std::string_view text);

// Throws as make_units does, without a problem at hand.
void require_units(std::string_view text);

// The plan with every op on the device of its unit.
Plan plan_of_units(const Units& units, std::span<const DeviceId> devices);

}  // namespace berth::place
