#include "place/list/list_schedule.h"

#include <algorithm>
#include <limits>

#include "place/groups/group_costs.h"
#include "place/list/ready_queue.h"
#include "place/list/schedule_state.h"
#include "place/remarks.h"
#include "place/repair/memory_repair.h"

namespace berth::place {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
// Bounds the work of a step: after each correction all devices are looked at again.
constexpr int kMostCorrections = 64;

class ListScheduler {
 public:
  ListScheduler(const Problem& problem, const ListInputs& inputs,
                std::span<const std::int64_t> limits)
      : problem_(problem),
        graph_(problem.graph()),
        inputs_(inputs),
        state_(problem, limits, true),
        costs_(problem),
        route_(mean_route(problem)),
        queues_(problem.device_count()),
        slots_(problem.device_count()),
        best_on_(problem.device_count()),
        known_(problem.device_count(), std::uint8_t{0}),
        awake_(problem.device_count()),
        order_(problem.op_count()),
        blockers_(problem.op_count(), 0),
        choices_(problem.op_count(), 0),
        everywhere_(inputs.favourite_children.empty() ? 0 : problem.op_count(), 0) {
    for (std::size_t device = 0; device < slots_.size(); ++device) {
      const auto slots = static_cast<std::size_t>(problem.cluster().device(DeviceId(device)).slots);
      slots_[device].assign(std::min(slots, problem.op_count()), 0);
    }
    for (std::size_t index = 0; index < inputs.ranks.order.size(); ++index) {
      order_[inputs.ranks.order[index].index()] = static_cast<std::uint32_t>(index);
    }
  }

  ListSchedule run() {
    for (const OpId op : graph_.topological_order()) {
      if (state_.is_free(op)) continue;
      for (const OpId before : graph_.predecessors(op)) {
        // Free ops are placed with their readers, so nobody waits for them.
        blockers_[op.index()] += state_.is_free(before) ? 0 : 1;
      }
      if (blockers_[op.index()] == 0) enqueue(op);
    }
    while (place_next()) {
    }
    state_.place_remaining();
    ListSchedule schedule;
    schedule.priority = priorities_by_start(state_);
    schedule.placement = state_.take_placement();
    return schedule;
  }

 private:
  struct Choice {
    OpId op;
    DeviceId device;
    double effective_seconds = kNever;
    std::uint32_t order = 0;
    bool queued = false;  // on top of the device's queue
  };
  // A device reserved for the favourite child of the op it ran last.
  struct Awake {
    OpId child;
    double until_seconds = 0;
  };

  double free_seconds(DeviceId device) const { return slots_[device.index()].front(); }

  double penalty(OpId op, DeviceId device) const {
    // Once the group has a device there is no choice left that a penalty could guide.
    return state_.group_device(op).valid() ? 0 : costs_.penalty(problem_.group(op), device);
  }

  double effective_seconds(OpId op, DeviceId device) const {
    return std::max(state_.data_ready(op, device), free_seconds(device)) + penalty(op, device);
  }

  void enqueue(OpId op) {
    const DeviceId fixed = state_.group_device(op);
    const auto allowed = problem_.allowed_devices(op);
    const auto devices = fixed.valid() ? std::span<const DeviceId>(&fixed, 1) : allowed;
    double latest = 0;
    for (const DeviceId device : devices) {
      const double ready = push(op, device);
      if (ready < kNever) latest = std::max(latest, ready);
    }
    if (!everywhere_.empty()) everywhere_[op.index()] = latest;
    if (choices_[op.index()] == 0) forced_.push_back(op);
  }

  // Queues the op where its data can get; returns when it would be there.
  double push(OpId op, DeviceId device) {
    const ScheduleState::Arrival arrival = state_.arrival_of(op, device);
    if (arrival.seconds == kNever) return kNever;
    queues_[device.index()].push({0, arrival.seconds, penalty(op, device), arrival.travel_seconds,
                                  arrival.entrance, order_[op.index()]});
    ++choices_[op.index()];
    known_[device.index()] = false;
    return arrival.seconds;
  }

  // Drops the op on top of the device's queue. An op that is in no queue any more is placed by last
  // resort.
  void drop_top(OpId op, DeviceId device) {
    queues_[device.index()].pop();
    known_[device.index()] = false;
    if (--choices_[op.index()] == 0 && !state_.is_placed(op)) forced_.push_back(op);
  }

  // The effective start of an op on a device that is reserved for another. An op whose data is
  // everywhere by then gains nothing elsewhere and need not wait.
  double kept_awake(const Choice& choice, double data_seconds) const {
    const Awake& awake = awake_[choice.device.index()];
    if (!awake.child.valid() || awake.child == choice.op || state_.is_placed(awake.child)) {
      return choice.effective_seconds;
    }
    const double free = free_seconds(choice.device);
    if (everywhere_[choice.op.index()] <= std::max(free, data_seconds)) {
      return choice.effective_seconds;
    }
    return std::max(choice.effective_seconds,
                    awake.until_seconds + penalty(choice.op, choice.device));
  }

  void offer_favourite(DeviceId device, Choice& best) const {
    const OpId child = awake_[device.index()].child;
    if (!child.valid() || state_.is_placed(child) || blockers_[child.index()] != 0) return;
    if (choices_[child.index()] == 0 || !problem_.allowed(child, device)) return;
    const DeviceId fixed = state_.group_device(child);
    if (fixed.valid() && fixed != device) return;
    const double effective = effective_seconds(child, device);
    const bool wins = effective < best.effective_seconds ||
                      (effective == best.effective_seconds && order_[child.index()] < best.order);
    if (wins) best = {child, device, effective, order_[child.index()], false};
  }

  bool is_useless(OpId op, DeviceId device) const {
    const DeviceId fixed = state_.group_device(op);
    return state_.is_placed(op) || (fixed.valid() && fixed != device);
  }

  Choice best_on(DeviceId device) {
    Choice best;
    ReadyQueue& queue = queues_[device.index()];
    while (!queue.empty()) {
      const auto top = queue.top(free_seconds(device), state_.channel_free());
      const OpId op = inputs_.ranks.order[top.order];
      if (is_useless(op, device)) {
        drop_top(op, device);
        continue;
      }
      best = {op, device, top.effective_seconds, top.order, true};
      if (!everywhere_.empty()) {
        best.effective_seconds = kept_awake(best, top.data_seconds);
        offer_favourite(device, best);
      }
      break;
    }
    return best;
  }

  // The best choice of a device stays the best until something is queued there or leaves. As links
  // and devices get busier it can only start later than known, which place_next() checks.
  Choice best_choice() {
    Choice best;
    for (std::size_t index = 0; index < queues_.size(); ++index) {
      Choice& choice = best_on_[index];
      if (!known_[index] || (choice.op.valid() && is_useless(choice.op, DeviceId(index)))) {
        choice = best_on(DeviceId(index));
        known_[index] = true;
      }
      const bool wins =
          choice.effective_seconds < best.effective_seconds ||
          (choice.effective_seconds == best.effective_seconds && choice.order < best.order);
      if (wins) best = choice;
    }
    return best;
  }

  bool place_forced() {
    if (forced_.empty()) return false;
    const OpId op = forced_.back();
    forced_.pop_back();
    if (!state_.is_placed(op)) place(op, state_.last_resort(op));
    return true;
  }

  bool place_next() {
    for (int corrections = 0;;) {
      // First, since no device can become open for such an op by waiting.
      if (place_forced()) return true;
      const Choice choice = best_choice();
      // Looking at the queues may have dropped the last entry of an op.
      if (!choice.op.valid()) return place_forced();
      if (!state_.fits(choice.op, choice.device)) {
        refuse(choice);
        continue;
      }
      const double effective = effective_seconds(choice.op, choice.device);
      if (effective <= choice.effective_seconds || corrections == kMostCorrections) {
        place(choice.op, choice.device);
        return true;
      }
      ++corrections;
      known_[choice.device.index()] = false;
      if (!choice.queued) continue;
      // Back into the queue with its present start as the key.
      queues_[choice.device.index()].pop();
      --choices_[choice.op.index()];
      push(choice.op, choice.device);
    }
  }

  void refuse(const Choice& choice) {
    if (choice.queued) {
      drop_top(choice.op, choice.device);
    } else {
      awake_[choice.device.index()] = {};
      known_[choice.device.index()] = false;
    }
  }

  void place(OpId op, DeviceId device) {
    const double ready = state_.bring_inputs(op, device);
    const double start = std::max(ready, free_seconds(device));
    const double end = start + problem_.seconds(op, device);
    state_.run(op, device, start, end);
    std::vector<double>& slots = slots_[device.index()];
    // The slot that is free first takes the op; which one it is makes no difference to the rest.
    std::pop_heap(slots.begin(), slots.end(), std::greater<>());
    slots.back() = end;
    std::push_heap(slots.begin(), slots.end(), std::greater<>());
    known_[device.index()] = false;
    if (!everywhere_.empty()) stay_awake(op, device, end);
    for (const TensorId tensor : state_.sent()) requeue_readers(tensor, device);
    for (const OpId after : graph_.successors(op)) {
      if (--blockers_[after.index()] == 0) enqueue(after);
    }
  }

  // Other ready readers of a tensor that was just sent here may now start earlier than their keys
  // say, so they are queued again. The old entries do no harm: they are dropped when they reach the
  // top.
  void requeue_readers(TensorId tensor, DeviceId device) {
    for (const OpId reader : graph_.consumers(tensor)) {
      if (blockers_[reader.index()] != 0 || choices_[reader.index()] == 0) continue;
      if (is_useless(reader, device) || !problem_.allowed(reader, device)) continue;
      push(reader, device);
    }
  }

  void stay_awake(OpId op, DeviceId device, double end) {
    // Devices that were kept awake for this op no longer are.
    std::fill(known_.begin(), known_.end(), std::uint8_t{0});
    Awake& awake = awake_[device.index()];
    awake = {inputs_.favourite_children[op.index()], end};
    if (!awake.child.valid()) return;
    for (const TensorId tensor : graph_.inputs(awake.child)) {
      if (graph_.producer(tensor) != op) continue;
      awake.until_seconds =
          std::max(awake.until_seconds, end + route_.transfer_seconds(graph_.bytes(tensor)));
    }
  }

  const Problem& problem_;
  const Graph& graph_;
  const ListInputs& inputs_;
  ScheduleState state_;
  GroupCosts costs_;
  MeanRoute route_;
  std::vector<ReadyQueue> queues_;          // by device
  std::vector<std::vector<double>> slots_;  // by device: heaps of when each slot is free
  std::vector<Choice> best_on_;             // by device: best choice, where known
  std::vector<std::uint8_t> known_;
  std::vector<Awake> awake_;             // by device
  std::vector<std::uint32_t> order_;     // by op: place in the order of ranks
  std::vector<std::uint32_t> blockers_;  // by op: ops before it, not free, not yet placed
  std::vector<std::uint32_t> choices_;   // by op: queues it is in
  std::vector<double> everywhere_;       // by op: when its data is on every device; sct only
  std::vector<OpId> forced_;             // ready ops that no device has room for
};

}  // namespace

ListSchedule earliest_start_schedule(const Problem& problem, const ListInputs& inputs,
                                     std::span<const std::int64_t> limits) {
  return ListScheduler(problem, inputs, limits).run();
}

void consider_schedules(
    const Problem& problem, const Request& request, Evaluator& evaluator,
    const std::function<ListSchedule(std::span<const std::int64_t>)>& schedule) {
  construct_within_memory(problem, evaluator, [&](std::span<const std::int64_t> limits) {
    ListSchedule made = schedule(limits);
    Plan plan{std::move(made.placement), {}, {}};
    if (!request.tasks.schedule) return plan;
    plan.priority = std::move(made.priority);
    // With and without priorities: the schedule knows contention only roughly, and the order of
    // readiness is sometimes the better one.
    evaluator.consider(plan);
    plan.priority.clear();
    return plan;
  });
}

Placed finish_heuristic(const Problem& problem, Evaluator& evaluator) {
  // A copy, because the evaluator's answer changes while the plan is repaired. Repair is not tried
  // where a proof says that nothing fits: it would only spend the budget.
  const Outcome raw = evaluator.best_outcome();
  if (!raw.routable || raw.feasible || evaluator.exhausted() ||
      bounds::prove_infeasible(problem).missing_bytes > 0) {
    return evaluator.finish(remark_on(raw));
  }
  const GroupGraph groups(problem);
  const GroupCosts costs(problem);
  const GroupDevices devices = devices_of_groups(problem, evaluator.best_plan());
  const bool fits = repair_memory({problem, groups, costs}, evaluator, devices, raw);
  return evaluator.finish(remark_on_repair("the plan", raw, fits ? Repair::worked : Repair::failed,
                                           evaluator.best_outcome()));
}

}  // namespace berth::place
