#include "place/heft.h"

#include <algorithm>
#include <limits>

#include "place/group_costs.h"
#include "place/idle_gaps.h"
#include "place/list_schedule.h"
#include "place/schedule_state.h"

namespace berth {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

class FinishScheduler {
 public:
  FinishScheduler(const Problem& problem, const UpwardRanks& ranks, bool contention,
                  std::span<const std::int64_t> limits)
      : problem_(problem),
        ranks_(ranks),
        state_(problem, limits, contention),
        costs_(problem),
        slots_(problem.device_count()) {
    for (std::size_t device = 0; device < slots_.size(); ++device) {
      const auto slots = static_cast<std::size_t>(problem.cluster().device(DeviceId(device)).slots);
      slots_[device].resize(std::min(slots, kMostSlots));
    }
  }

  ListSchedule run() {
    for (const OpId op : ranks_.order) {
      if (!state_.is_free(op)) place(op, choose(op));
    }
    state_.place_remaining();
    ListSchedule schedule;
    schedule.placement = state_.take_placement();
    schedule.priority.resize(problem_.op_count());
    for (std::size_t index = 0; index < ranks_.order.size(); ++index) {
      schedule.priority[ranks_.order[index].index()] =
          static_cast<double>(ranks_.order.size() - index);
    }
    return schedule;
  }

 private:
  // Devices with more slots are rare, and this many never all matter.
  static constexpr std::size_t kMostSlots = 64;

  struct Start {
    double seconds = kNever;
    std::size_t slot = 0;
  };

  Start earliest(DeviceId device, double ready, double length) const {
    Start best;
    const std::vector<IdleGaps>& slots = slots_[device.index()];
    for (std::size_t slot = 0; slot < slots.size(); ++slot) {
      const double seconds = slots[slot].earliest(ready, length);
      if (seconds < best.seconds) best = {seconds, slot};
    }
    return best;
  }

  DeviceId choose(OpId op) {
    if (state_.group_device(op).valid()) return state_.group_device(op);
    DeviceId best;
    double best_finish = kNever;
    for (const DeviceId device : problem_.allowed_devices(op)) {
      const double ready = state_.data_ready(op, device);
      if (ready == kNever) continue;
      const double seconds = problem_.seconds(op, device);
      const double finish = earliest(device, ready, seconds).seconds +
                            problem_.fastest_seconds(op) +
                            costs_.penalty(problem_.group(op), device);
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
    const Start start = earliest(device, ready, seconds);
    slots_[device.index()][start.slot].take(start.seconds, start.seconds + seconds);
    state_.run(op, device, start.seconds, start.seconds + seconds);
  }

  const Problem& problem_;
  const UpwardRanks& ranks_;
  ScheduleState state_;
  GroupCosts costs_;
  std::vector<std::vector<IdleGaps>> slots_;  // by device, then slot
};

Placed place_by_finish(const Problem& problem, const Request& request, const Options& options) {
  Judge judge(problem, request);
  const UpwardRanks ranks = upward_ranks(problem);
  const std::string& links = options.text("links");
  for (const bool contention : {true, false}) {
    if (links == (contention ? "ideal" : "shared")) continue;
    consider_schedules(problem, request, judge, [&](std::span<const std::int64_t> limits) {
      return FinishScheduler(problem, ranks, contention, limits).run();
    });
    if (judge.exhausted()) break;
  }
  return finish_heuristic(problem, judge);
}

}  // namespace

Placer heft_placer() {
  return {.name = "heft",
          .summary = "heterogeneous earliest finish time: by rank, where each op finishes first",
          .reference = "Topcuoglu, Hariri, Wu, IEEE TPDS 2002",
          .options = {{.name = "links",
                       .type = OptionSpec::Type::choice,
                       .default_value = "both",
                       .sentence = "How planned transfers meet: queueing for links (shared), never "
                                   "waiting (ideal, as published), or the better of both.",
                       .choices = {"both", "shared", "ideal"}}},
          .place = place_by_finish};
}

}  // namespace berth
