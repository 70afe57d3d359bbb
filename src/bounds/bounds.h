// Lower bounds on the step time of any feasible plan. Each names the decisions it holds for: with
// fusion allowed, ops can lose launches and traffic, so fewer bounds and smaller ones remain.
//
//  - critical path: every op ends no earlier than the longest path before it, each op on the
//    allowed device that suits the path best, a tensor that changes devices paying its transfer
//    (path_bound.h).
//  - queue, without priorities: colocated ops that are ready first go first, and what follows waits
//    for them or is on another device (queue_order.h).
//  - fork: what lies between a fork and a join shares a device or pays for transfers (fork_join.h).
//  - fold: a path that comes back to groups of ops finds them where it left them
//    (folded_path.h).
//  - work: total work over the cluster as a linear program of fractional assignment of colocation
//    groups to device classes, memory for parameters included, so that what cannot fit the fast
//    devices must be paid on the slow ones. Solved by its dual, any point of which is a valid
//    bound (work_bound.h).
//  - interval: the same for the ops that neither start early nor end late (interval_bound.h).
//  - group, where ops are colocated: they run one after the other on a device with one slot, behind
//    the paths before them and before those after them (one_machine.h).
//  - op, with fusion only: the dearest op alone; elsewhere the critical path is never less.
//
// Bounds hold for feasible plans: a device too small for a group counts as closed to it, so a plan
// that does not fit can be quicker. Where it can be proved that nothing fits, memory is ignored,
// and they hold for every valid plan. They are finite, and 0 for an empty graph. Tests hold every
// bound to the true optimum found by enumeration.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cost/problem.h"
#include "plan/tasks.h"

namespace berth::bounds {

struct Bound {
  double seconds = 0;
  std::string name;         // "critical path", "queue", "work", ...: the list above
  std::string explanation;  // one sentence for people
  Tasks tasks = {};         // the decisions it holds for; a plan that decides more may be shorter
};

struct Bounds {
  std::vector<Bound> all;
  Bound best;
};

Bounds lower_bounds(const Problem& problem, Tasks tasks = {});

// Why no plan at all can be feasible, when that is provable: a group that fits no allowed device,
// or resident bytes beyond what the devices that may hold them can. `missing_bytes` is 0 when
// nothing of the kind could be shown; what is short by less than an op's tensors may go unproved.
struct Infeasibility {
  std::int64_t missing_bytes = 0;
  std::string explanation;
  OpId blocking_op;  // of a group that fits nowhere
};
Infeasibility prove_infeasible(const Problem& problem, Tasks tasks = {});

}  // namespace berth::bounds
