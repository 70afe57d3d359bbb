// A list schedule whose choices somebody else makes: the engine of `heft` (finish_schedule.h), one
// decision at a time. A unit is a set of colocation groups that go to one device; its device is
// decided at its first op in order of rank that is not free, and all its other ops follow. Who
// decides sees, for every device that the unit may use, when its first op would start and finish
// there and what it would send.
//
// Always choosing the device with the earliest `finish_seconds` among those where it fits gives the
// plan of heft:links=shared, if every colocation group is a unit and memory does not bind.
//
// Units of free ops only are not decided; they are placed with their first reader.
//
// Cost: that of heft, O((ops + edges) x devices) for a whole schedule, and once per UnitOrder
// O(ops x devices).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "place/groups/group_costs.h"
#include "place/groups/units.h"
#include "place/list/device_slots.h"
#include "place/list/schedule_state.h"
#include "place/list/upward_rank.h"

namespace berth::place {

// What all schedules of a problem share. The problem must outlive it.
struct UnitOrder {
  UnitOrder(const Problem& problem, const Units& units);

  const Problem& problem;
  UpwardRanks ranks;
  std::vector<std::uint32_t> unit_of_op;
  std::vector<std::uint32_t> decided;  // units in the order of their decisions
  std::vector<OpId> first_ops;         // of the decided units, in that order
  std::vector<double> seconds;         // unit x device: of all its ops; infinite where not allowed
  std::vector<double> fastest;         // by unit: on its fastest allowed device
};

class UnitSchedule {
 public:
  struct Choice {
    DeviceId device;
    double arrival_seconds = 0;  // when the inputs of the first op would be there
    double start_seconds = 0;    // when the first op would start
    // When it would end, with what the whole unit loses on this device: what heft compares.
    double finish_seconds = 0;
    double travel_seconds = 0;  // longest transfer that would begin
    double sent_seconds = 0;    // sum of all transfers that would begin
    bool fits = false;          // by an estimate of memory
  };

  UnitSchedule(const UnitOrder& order, std::span<const std::int64_t> limits);

  // The choices of the decision at hand: devices that are allowed and that its inputs can reach; of
  // those without a route, all that are allowed. Valid until decide().
  std::span<const Choice> choices();
  // The device goes with decision number `decisions()`.
  void decide(DeviceId device);
  std::size_t decisions() const { return next_; }  // made so far
  bool done() const { return next_ == order_.decided.size(); }
  // Work of all ops that are placed or will follow, by device.
  std::span<const double> work_seconds() const { return work_; }
  const ScheduleState& state() const { return state_; }
  // When done: the device of every op.
  std::vector<DeviceId> take_placement();

 private:
  void run_until_decision();
  void run(OpId op, DeviceId device);

  const UnitOrder& order_;
  ScheduleState state_;
  DeviceSlots slots_;
  std::vector<DeviceId> device_of_unit_;
  std::vector<double> work_;
  std::vector<Choice> choices_;
  std::size_t next_ = 0;  // decision
  std::size_t at_ = 0;    // op, in order of rank
};

}  // namespace berth::place
