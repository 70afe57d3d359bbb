// What is left of a partial placement if the step has to be shorter than a limit.
//
// A group keeps a device only as long as nothing below rules it out; a group without a device
// refutes the partial placement. Removing a device makes bounds of others grow, so this is repeated
// until nothing changes any more.
//
//  - Paths: what must come before an op on a device and what must come after it (paths.h).
//  - Devices: what is decided for a device must be worked off there, each op between the paths
//    before and after it (one_machine.h). A group that would make that too long cannot go there.
//  - Channels: the same for transfers between decided ops.
//  - Work: the same for all ops together, each with the least it could cost anywhere by the prices
//    of the work bound (assignment_dual.h).
//  - Memory: what is decided must fit (capacity.h).
//
// All are bounds on what docs/execution.md makes of any way to complete the placement, orders of
// sending and queueing included, as none of them counts on an order. O((ops + edges) x devices^2)
// per pass at most.
#pragma once

#include "place/proof/capacity.h"
#include "place/proof/one_machine.h"
#include "place/proof/paths.h"
#include "place/proof/relaxation.h"

namespace berth::place {

class Propagation {
 public:
  explicit Propagation(const Relaxation& relaxation);

  // False when no completion is feasible and shorter than `limit_seconds`; otherwise no device was
  // removed from a domain that one of those would use. It leaves off after `most_passes`.
  bool narrow(Domains& domains, double limit_seconds, double most_passes);

  // After narrow() returned true: how long the paths through a group on a device are.
  double path_seconds(std::size_t group, std::size_t device) const;
  // A group to decide next if what is settled is to reach further; Prefix::kNoGroup if all is.
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
  double ceiling_ = 0;  // what reaches it is not shorter than the limit, rounding included
  double passes_ = 0;
  Capacity capacity_;
  Prefix prefix_;
  Paths paths_;
  std::vector<OneMachine> machines_, channels_;
  OneMachine cluster_;
};

}  // namespace berth::place
