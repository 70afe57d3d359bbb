#include "place/list/finish_schedule.h"

#include <algorithm>
#include <limits>

#include "place/groups/group_costs.h"
#include "place/list/device_slots.h"
#include "place/list/schedule_state.h"

namespace berth::place {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

class FinishScheduler {
 public:
  FinishScheduler(const Problem& problem, const FinishInputs& inputs,
                  std::span<const std::int64_t> limits)
      : problem_(problem),
        inputs_(inputs),
        state_(problem, limits, inputs.contention, inputs.travel_factor),
        costs_(problem),
        slots_(problem) {
    if (!inputs.block_of.empty()) sum_up_blocks();
  }

  ListSchedule run() {
    const std::vector<OpId>& order = inputs_.ranks.order;
    // By falling rank, which is a topological order, so the inputs of an op are always placed
    // before it.
    for (const OpId op : order) {
      if (!state_.is_free(op)) place(op, choose(op));
    }
    state_.place_remaining();
    ListSchedule schedule;
    schedule.placement = state_.take_placement();
    schedule.priority.resize(problem_.op_count());
    for (std::size_t index = 0; index < order.size(); ++index) {
      schedule.priority[order[index].index()] = static_cast<double>(order.size() - index);
    }
    return schedule;
  }

 private:
  // What the groups that follow would lose on a device compared with their fastest device.
  void sum_up_blocks() {
    std::size_t blocks = 0;
    for (const std::uint32_t block : inputs_.block_of) {
      if (block != FinishInputs::kAlone) blocks = std::max<std::size_t>(blocks, block + 1);
    }
    block_devices_.assign(blocks, DeviceId());
    block_penalties_.assign(blocks * problem_.class_count(), 0);
    for (std::size_t cost_class = 0; cost_class < problem_.class_count(); ++cost_class) {
      const DeviceId device = problem_.class_representative(cost_class);
      for (std::size_t group = 0; group < problem_.group_count(); ++group) {
        const std::uint32_t block = inputs_.block_of[group];
        if (block == FinishInputs::kAlone) continue;
        const double penalty = costs_.penalty(GroupId(group), device);
        if (penalty == kNever) continue;  // it will not follow there
        block_penalties_[block * problem_.class_count() + cost_class] += penalty;
      }
    }
  }

  std::uint32_t block(OpId op) const {
    return inputs_.block_of.empty() ? FinishInputs::kAlone
                                    : inputs_.block_of[problem_.group(op).index()];
  }

  double penalty(OpId op, DeviceId device) const {
    const std::uint32_t at = block(op);
    // The first op decides for its block, with what the whole block would lose. One that does not
    // follow the block decides for itself.
    if (at == FinishInputs::kAlone || block_devices_[at].valid()) {
      return costs_.penalty(problem_.group(op), device);
    }
    return block_penalties_[at * problem_.class_count() + problem_.device_class(device)];
  }

  DeviceId choose(OpId op) {
    if (state_.group_device(op).valid()) return state_.group_device(op);
    const std::uint32_t at = block(op);
    if (at == FinishInputs::kAlone) return finishing_first(op);
    DeviceId& device = block_devices_[at];
    if (device.valid() && problem_.allowed(op, device) && state_.data_ready(op, device) < kNever &&
        state_.fits(op, device)) {
      return device;
    }
    // The whole block moves on: where this op has to go, those after it most likely have to go too.
    device = finishing_first(op);
    return device;
  }

  DeviceId finishing_first(OpId op) {
    DeviceId best;
    double best_finish = kNever;
    for (const DeviceId device : problem_.allowed_devices(op)) {
      const ScheduleState::Arrival arrival = state_.arrival_of(op, device);
      if (arrival.seconds == kNever) continue;
      const double seconds = problem_.seconds(op, device);
      // The op's least time plus the loss of its whole group instead of the op's own time: the
      // first op of a group decides for all of them and may itself be small.
      double finish = slots_.earliest(device, arrival.seconds, seconds).seconds +
                      problem_.fastest_seconds(op) + penalty(op, device);
      if (inputs_.travel_weight > 0) finish += inputs_.travel_weight * arrival.travel_seconds;
      if (finish < best_finish && state_.fits(op, device)) {
        best = device;
        best_finish = finish;
      }
    }
    return best.valid() ? best : state_.last_resort(op);
  }

  void place(OpId op, DeviceId device) {
    const double ready = state_.bring_inputs(op, device);
    const double seconds = problem_.seconds(op, device);
    const DeviceSlots::Start start = slots_.earliest(device, ready, seconds);
    slots_.take(device, start, seconds);
    state_.run(op, device, start.seconds, start.seconds + seconds);
  }

  const Problem& problem_;
  const FinishInputs& inputs_;
  ScheduleState state_;
  GroupCosts costs_;
  DeviceSlots slots_;
  std::vector<DeviceId> block_devices_;  // of the first that was placed
  std::vector<double> block_penalties_;  // block x class
};

}  // namespace

ListSchedule earliest_finish_schedule(const Problem& problem, const FinishInputs& inputs,
                                      std::span<const std::int64_t> limits) {
  return FinishScheduler(problem, inputs, limits).run();
}

}  // namespace berth::place
