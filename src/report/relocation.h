// A plan with some of its colocation groups moved to other devices, simulated: lint advises only
// what it has tried this way.
#pragma once

#include <span>
#include <vector>

#include "report/analysis.h"
#include "sim/simulator.h"

namespace berth::report {

struct Move {
  GroupId group;
  DeviceId device;
};

class Relocation {
 public:
  explicit Relocation(const Analysis& analysis);

  DeviceId home(GroupId group) const;
  // Whether it is another device than the present one, and an allowed one. Ops of a fused group
  // move together or not at all, so groups that contain such an op stay.
  bool can_move(const Move& move) const;
  // The plan with all of these moved. Valid until the next call.
  const Outcome& with(std::span<const Move> moves);
  // The part of the step that is saved; 0 or less where it is longer or does not fit any more.
  double gain(const Outcome& outcome) const;

 private:
  void put(GroupId group, DeviceId device);

  const Analysis& analysis_;
  Simulator simulator_;
  Plan plan_;
  std::vector<char> fused_;  // by op
};

}  // namespace berth::report
