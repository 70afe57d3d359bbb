#include "place/list/unit_schedule.h"

#include <algorithm>
#include <limits>

namespace berth::place {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

}  // namespace

UnitOrder::UnitOrder(const Problem& of_problem, const Units& units)
    : problem(of_problem), ranks(upward_ranks(of_problem)), unit_of_op(units.of_op) {
  const std::size_t devices = problem.device_count();
  const GroupCosts costs(problem);
  seconds.assign(units.size() * devices, kNever);
  fastest.assign(units.size(), kNever);
  for (std::size_t unit = 0; unit < units.size(); ++unit) {
    const auto members = units.members.row(unit);
    for (const DeviceId device : problem.allowed_devices(members.front())) {
      double sum = 0;
      for (const OpId op : members) sum += problem.seconds(op, device);
      seconds[unit * devices + device.index()] = sum;
      fastest[unit] = std::min(fastest[unit], sum);
    }
  }
  const FreeOps free_ops(problem);
  std::vector<std::uint8_t> seen(units.size(), 0);
  for (const OpId op : ranks.order) {
    const std::uint32_t unit = unit_of_op[op.index()];
    if (seen[unit] || free_ops.contains(op)) continue;
    seen[unit] = 1;
    decided.push_back(unit);
    first_ops.push_back(op);
  }
}

UnitSchedule::UnitSchedule(const UnitOrder& order, std::span<const std::int64_t> limits)
    : order_(order),
      state_(order.problem, limits, true),
      slots_(order.problem),
      device_of_unit_(order.fastest.size()),
      work_(order.problem.device_count(), 0) {
  run_until_decision();
}

void UnitSchedule::run_until_decision() {
  for (; at_ < order_.ranks.order.size(); ++at_) {
    const OpId op = order_.ranks.order[at_];
    if (state_.is_free(op)) continue;
    const DeviceId decided = device_of_unit_[order_.unit_of_op[op.index()]];
    if (!decided.valid()) return;
    // A free op of its group may have been placed with a reader of another unit before; of a unit
    // of several groups, this group then stays with it.
    const DeviceId fixed = state_.group_device(op);
    run(op, fixed.valid() ? fixed : decided);
  }
}

void UnitSchedule::run(OpId op, DeviceId device) {
  const double ready = state_.bring_inputs(op, device);
  const double seconds = order_.problem.seconds(op, device);
  const DeviceSlots::Start start = slots_.earliest(device, ready, seconds);
  slots_.take(device, start, seconds);
  state_.run(op, device, start.seconds, start.seconds + seconds);
}

std::span<const UnitSchedule::Choice> UnitSchedule::choices() {
  const OpId op = order_.first_ops[next_];
  const std::uint32_t unit = order_.decided[next_];
  const std::size_t devices = work_.size();
  choices_.clear();
  // A free op of the unit may have been placed with a reader before.
  const DeviceId fixed = state_.group_device(op);
  bool reached = false;
  for (const DeviceId device : order_.problem.allowed_devices(op)) {
    if (fixed.valid() && device != fixed) continue;
    const ScheduleState::Arrival arrival = state_.arrival_of(op, device);
    const double seconds = order_.problem.seconds(op, device);
    const bool reaches = arrival.seconds < kNever;
    reached = reached || reaches;
    Choice choice{.device = device,
                  .arrival_seconds = arrival.seconds,
                  .start_seconds = kNever,
                  .finish_seconds = kNever,
                  .travel_seconds = arrival.travel_seconds,
                  .sent_seconds = arrival.sent_seconds,
                  .fits = state_.fits(op, device)};
    if (reaches) {
      choice.start_seconds = slots_.earliest(device, arrival.seconds, seconds).seconds;
      choice.finish_seconds = choice.start_seconds + order_.problem.fastest_seconds(op) +
                              order_.seconds[unit * devices + device.index()] -
                              order_.fastest[unit];
    }
    choices_.push_back(choice);
  }
  if (reached) {
    std::erase_if(choices_, [](const Choice& choice) { return choice.arrival_seconds == kNever; });
  }
  return choices_;
}

void UnitSchedule::decide(DeviceId device) {
  const std::uint32_t unit = order_.decided[next_];
  device_of_unit_[unit] = device;
  work_[device.index()] += order_.seconds[unit * work_.size() + device.index()];
  ++next_;
  run_until_decision();
}

std::vector<DeviceId> UnitSchedule::take_placement() {
  state_.place_remaining();
  return state_.take_placement();
}

}  // namespace berth::place
