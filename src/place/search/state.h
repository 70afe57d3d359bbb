// The state of an annealing chain: a plan with one device per colocation group, changed in small
// steps that can be undone. Only allowed devices are ever set. Where there is a move limit, the ops
// that have left their device are counted as they move.
#pragma once

#include <utility>
#include <vector>

#include "place/groups/group_devices.h"
#include "place/placer.h"

namespace berth::place {

class SearchState {
 public:
  SearchState(const Problem& problem, const MoveLimit* keep);

  // Takes over the plan without its fused groups.
  void reset(const Plan& plan);

  const Plan& plan() const { return plan_; }
  DeviceId device(GroupId group) const { return devices_[group.index()]; }

  std::size_t moved_ops() const { return moved_; }  // ops off the device that the move limit names

  // Does nothing where the group may not be on the device.
  void move(GroupId group, DeviceId device);
  void set_priorities(std::vector<double> priorities);
  void raise_over(OpId op, OpId other);  // the priority of one just above that of another

  // Whether something changed since the last accept() and the move limit holds.
  bool is_worth_a_look() const;
  void accept();
  void undo();

 private:
  void lower_raised();

  const Problem& problem_;
  const MoveLimit* keep_;
  Plan plan_;
  GroupDevices devices_;
  std::size_t moved_ = 0;                           // see moved_ops()
  std::vector<std::pair<GroupId, DeviceId>> left_;  // moves, to be taken back
  std::vector<std::pair<OpId, double>> raised_;     // priorities before they were raised
  std::vector<double> old_priorities_;              // all of them, where all were set
  bool reordered_ = false;
};

}  // namespace berth::place
