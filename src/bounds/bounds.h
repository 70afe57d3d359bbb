// Lower bounds on the step time of any feasible plan. A bound holds for the decisions it names
// (`tasks`). If fusion is allowed, plans can save launches and traffic, so there are fewer bounds
// and they are smaller.
//
//  - critical path: every op ends no earlier than the longest path to it, with each op on the
//    allowed device that is best for the path and a transfer where the device changes
//    (path_bound.h).
//  - queue, without priorities: of colocated ops the one that is ready first goes first, and what
//    follows waits for it or is on another device (queue_order.h).
//  - fork: ops between a fork and a join share a device or pay for transfers (fork_join.h).
//  - fold: a path that returns to colocation groups finds them on the same devices as before
//    (folded_path.h).
//  - work: the total work, spread over the cluster by a linear program that assigns fractions of
//    colocation groups to kinds of device. Memory for parameters is included, so work that does
//    not fit on fast devices counts at the rate of slow ones. It is solved by its dual, of which
//    any point is a valid bound (work_bound.h).
//  - interval: the same for the ops that neither start early nor end late (interval_bound.h).
//  - group, where ops are colocated: on a device with one slot they run one after the other, after
//    the paths to them and before the paths from them (one_machine.h).
//  - op, with fusion only: the most expensive op alone. Otherwise the critical path is never less.
//
// Bounds hold for feasible plans: a group cannot be on a device that is too small for it. So a plan
// that does not fit in memory can be below the bound. Where it can be proved that nothing fits,
// memory is ignored and the bounds hold for every valid plan. Bounds are finite, and 0 for an empty
// graph. Tests compare every bound with the optimum found by enumeration.
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

// The reason why no plan can be feasible, where that can be proved: a group fits on no device it
// may use, or the resident bytes exceed what the devices that may hold them have together.
// `missing_bytes` is 0 when nothing was proved; a shortage of less than the tensors of an op may
// remain unproved.
struct Infeasibility {
  std::int64_t missing_bytes = 0;
  std::string explanation;
  OpId blocking_op;  // an op of the group that fits nowhere
};
Infeasibility prove_infeasible(const Problem& problem, Tasks tasks = {});

}  // namespace berth::bounds
