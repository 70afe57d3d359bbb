// What first-come-first-served queues imply where a plan has no priorities (`placement` alone).
//
// Op y is a companion of op u when both are in one colocation group, so on one device d, and in
// every plan y is ready when u is, and its ready time is no later. This is shown when each
// requirement of y is met no later than one of u's:
//  - a tensor that y reads is also read by u, or was read by a third op of the group that is an
//    ancestor of u (so it was on d before), or was made by such an op;
//  - an op in y's `after` is an ancestor of u.
// In a training step the two gradients of a matrix product are companions of each other: both wait
// for the gradient from above; what else they read was on d for the product itself.
//
// Why it matters. Let d have one slot, and let n be u itself or any op on d that waits for u's end,
// with an index above y's. When n starts, y has been ready for as long as n or longer, and of
// equals the lower index goes first; so y has started before n, and n starts no earlier than y
// ends. (Ready times are instants; but u did not start before y was ready, so the rounds of an
// instant cannot turn this around.) So an op that follows u either waits for u's companions too, or
// is on another device and waits for a transfer.
//
// Ancestors are found for 64 ops at a time, a bit each, by passes over the graph; large groups and
// what would take too many passes are left out, which only makes bounds smaller.
// O(edges x colocated ops / 64) with a cap.
#pragma once

#include <algorithm>
#include <span>

#include "bounds/bounds.h"
#include "cost/problem.h"

namespace berth::bounds {

class QueueOrder {
 public:
  // No companions, as when priorities or fusion are allowed.
  QueueOrder() = default;
  QueueOrder(const Problem& problem, Tasks tasks);

  bool empty() const { return companions_.items.empty(); }
  // Ascending.
  std::span<const OpId> companions(OpId op) const {
    return companions_.begins.empty() ? std::span<const OpId>() : companions_.row(op.index());
  }
  // If `to` is on the device of `from` and waits for its end: whether this companion of `from`
  // starts there after `from` and ends before `to` starts.
  bool goes_between(OpId from, OpId companion, OpId to) const {
    if (companion < from || companion >= to) return false;
    const auto others = companions(companion);
    return std::find(others.begin(), others.end(), from) != others.end();
  }
  // Whether this companion of `op` becomes ready at the same instant as `op`, not earlier, and goes
  // first. Then `op` starts no sooner than its ready time plus the companion's cost, whatever
  // device they are on.
  bool goes_first(OpId companion, OpId op) const {
    if (companion > op) return false;
    const auto others = companions(companion);
    return std::find(others.begin(), others.end(), op) != others.end();
  }

 private:
  Rows<OpId> companions_;  // by op
};

}  // namespace berth::bounds
