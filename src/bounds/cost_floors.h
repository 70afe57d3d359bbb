// The least time that an op adds to its device, per cost class: its cost, or with fusion a share of
// the cost of any group it may be fused into.
//
// With fusion, the floors f of a class satisfy: for every legal group G of fused ops, the sum of f
// over G is at most the cost of G (a single op is a group too). Bounds that add up costs, along a
// path or over a device, then hold with floors instead of costs: the time of a fused group can be
// cut into consecutive pieces of at least f, one per member, in any order that respects the edges.
//
// Why they hold. On a device, the cost of a group follows one of two formulas (docs/execution.md,
// "Fusion"):
//
//  Modelled, when no member has given seconds: launch + max(sum of compute, external traffic /
//  ...), or 0 when all are views. External traffic can be less than a member's own traffic, so
//  traffic can never be counted. But compute adds up, and one launch is paid. At most one member is
//  heavy, so
//     (modelled)  f = launch + compute for a heavy op, compute for a light one, 0 for a view
//  adds up to no more than the cost.
//
//  Given, when a member has given seconds: max(most expensive member, sum - saved launches
//  - 2 x internal bytes / bandwidth). Two choices are valid. When any op has given seconds on a
//  class, the choice with the larger sum over the graph is taken for this class:
//     (dearest)   f = the given time, else launch + compute, for a heavy op, 0 for all others: at
//                 most one member is heavy, and the group costs no less than its most expensive
//                 member.
//     (savings)   f = cost - launch - what the op is charged for tensors. A tensor is internal only
//                 if its producer and all its consumers are in the group, so 2 x bytes / bandwidth
//                 may be charged to any of these, in any parts. Every saved launch is charged to
//                 its member. So the charges cover all that the group saves. A negative share would
//                 reduce the sum of its neighbours, so this choice is dropped if a charge cannot be
//                 met.
//  Where modelled groups may occur as well, an op without given seconds gets the lesser of its two
//  shares.
//
// The floor of one op alone (`alone`) is larger, but floors of this kind must not be added up: a
// group costs no less than its most expensive member if a time is given, else no less than launch +
// compute of any member that is not a view.
//
// O(classes x (ops + edges)). It does not see that a group would not be convex, or that the traffic
// of weights remains.
#pragma once

#include <vector>

#include "bounds/bounds.h"
#include "cost/problem.h"

namespace berth::bounds {

class CostFloors {
 public:
  // Keeps a reference: the problem must outlive the floors.
  CostFloors(const Problem& problem, Tasks tasks);

  // Infinite where the problem says impossible.
  double seconds(OpId op, std::size_t cost_class) const {
    return additive_.empty() ? problem_.class_seconds(op, cost_class)
                             : additive_[op.index() * problem_.class_count() + cost_class];
  }
  double alone_seconds(OpId op, std::size_t cost_class) const {
    return alone_.empty() ? problem_.class_seconds(op, cost_class)
                          : alone_[op.index() * problem_.class_count() + cost_class];
  }
  // True without fusion: the floors are the costs, and sums in the simulator's own order of
  // additions need no allowance for rounding.
  bool exact() const { return additive_.empty(); }
  const Problem& problem() const { return problem_; }

 private:
  bool fill_modelled(std::size_t cost_class);
  void choose_given(std::size_t cost_class);
  bool given(OpId op, std::size_t cost_class) const;

  const Problem& problem_;
  std::vector<double> additive_, alone_;  // empty without fusion
};

// Reduces a sum of this many non-negative terms by more than rounding can have added, whatever the
// order of additions, in the bound and in the simulator together.
double shrink_for_rounding(double seconds, std::size_t terms);

}  // namespace berth::bounds
