// Removes devices from a partial placement that no completion with a step shorter than a limit can
// use.
//
// A group keeps a device only as long as none of the rules below excludes it. A group without any
// device refutes the partial placement. Removing a device lets the bounds of other groups grow, so
// this is repeated until nothing changes.
//
//  - Paths: what must come before an op on a device and what must come after it (paths.h).
//  - Devices: the ops decided for a device must all run there, each between the paths before and
//    after it (one_machine.h). A group that would make this too long cannot go there.
//  - Channels: the same for transfers between decided ops.
//  - Work: the same for all ops together, each at its least cost by the prices of the work bound
//    (assignment_dual.h).
//  - Memory: decided groups must fit (capacity.h).
//
// All rules hold for any completion under docs/execution.md, whatever the order of sending and
// queueing, as none of them assumes an order. At most O((ops + edges) x devices^2) per pass.
#pragma once

#include "place/proof/capacity.h"
#include "place/proof/one_machine.h"
#include "place/proof/paths.h"
#include "place/proof/relaxation.h"

namespace berth::place {

class Propagation {
 public:
  explicit Propagation(const Relaxation& relaxation);

  // False when no completion is feasible and shorter than `limit_seconds`. Otherwise every device
  // that such a completion could use is still in its domain. It stops after `most_passes`.
  bool narrow(Domains& domains, double limit_seconds, double most_passes);

  // After narrow() returned true: how long the paths through a group on a device are.
  double path_seconds(std::size_t group, std::size_t device) const;
  // A group to decide next so that the prefix reaches further; Prefix::kNoGroup if it is complete.
  std::uint32_t open_group() const { return prefix_.open_group(); }
  // Passes over the graph so far.
  double passes() const { return passes_; }

 private:
  Narrowed remove_long_paths(Domains& domains) const;
  Narrowed remove_overloaded(Domains& domains);
  bool channels_suffice(const Domains& domains);
  bool work_fits(const Domains& domains);
  bounds::Job job(std::size_t op, std::size_t device) const;

  const Relaxation& problem_;
  double ceiling_ = 0;  // the limit with room for rounding: bounds below it prove nothing
  double passes_ = 0;
  Capacity capacity_;
  Prefix prefix_;
  Paths paths_;
  std::vector<OneMachine> machines_, channels_;
  OneMachine cluster_;
};

}  // namespace berth::place
