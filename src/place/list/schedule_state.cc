#include "place/list/schedule_state.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace berth::place {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

}  // namespace

ScheduleState::ScheduleState(const Problem& problem, std::span<const std::int64_t> limits,
                             bool contention, double travel_factor)
    : problem_(problem),
      graph_(problem.graph()),
      cluster_(problem.cluster()),
      free_ops_(problem),
      memory_(problem, limits, free_ops_),
      contention_(contention),
      travel_factor_(travel_factor),
      placement_(problem.op_count()),
      group_devices_(problem.group_count()),
      starts_(problem.op_count(), 0),
      ends_(problem.op_count(), 0),
      channel_free_(problem.cluster().channel_count(), 0),
      first_copy_(problem.graph().tensor_count(), kEnd) {}

const ScheduleState::Copy* ScheduleState::find_copy(TensorId tensor, DeviceId device) const {
  for (std::uint32_t at = first_copy_[tensor.index()]; at != kEnd; at = copies_[at].next) {
    if (copies_[at].device == device) return &copies_[at];
  }
  return nullptr;
}

// The output of a free op that is not placed yet would be made on the device itself where that is
// allowed, else come from the allowed device nearest to it.
double ScheduleState::unplaced_arrival(TensorId tensor, DeviceId device) const {
  const OpId producer = graph_.producer(tensor);
  const auto travel = [&](DeviceId from) {
    if (from == device) return 0.0;
    return cluster_.route(from, device).exists()
               ? travel_factor_ * cluster_.transfer_seconds(from, device, graph_.bytes(tensor))
               : kNever;
  };
  if (group_device(producer).valid()) return travel(group_device(producer));
  if (problem_.allowed(producer, device)) return 0;
  double nearest = kNever;
  for (const DeviceId from : problem_.allowed_devices(producer)) {
    nearest = std::min(nearest, travel(from));
  }
  return nearest;
}

void ScheduleState::add_arrival(TensorId tensor, DeviceId device, Arrival& latest) const {
  const OpId producer = graph_.producer(tensor);
  const DeviceId from = placement_[producer.index()];
  const auto at = [&](double seconds) { latest.seconds = std::max(latest.seconds, seconds); };
  if (!from.valid()) return at(unplaced_arrival(tensor, device));
  if (from == device) return at(ends_[producer.index()]);
  // A tensor is sent once per device: a second reader there finds the copy.
  if (const Copy* copy = find_copy(tensor, device)) return at(copy->arrival_seconds);
  const Route route = cluster_.route(from, device);
  if (!route.exists()) return at(kNever);
  const double travel =
      travel_factor_ * cluster_.transfer_seconds(from, device, graph_.bytes(tensor));
  latest.sent_seconds += travel;
  double start = ends_[producer.index()];
  // Outputs of free ops are sent at the start of the step, before all others, and hold up nothing
  // that is scheduled here.
  if (contention_ && !is_free(producer)) {
    for (const std::uint32_t channel : route.channels) {
      start = std::max(start, channel_free_[channel]);
    }
    if (travel > latest.travel_seconds || latest.entrance == 0xffffffffu) {
      latest.travel_seconds = travel;
      latest.entrance = route.channels.back();
    }
  }
  at(start + travel);
}

double ScheduleState::order_ready(OpId op) const {
  double ready = 0;
  for (const OpId earlier : graph_.after(op)) ready = std::max(ready, ends_[earlier.index()]);
  return ready;
}

ScheduleState::Arrival ScheduleState::arrival_of(OpId op, DeviceId device) const {
  Arrival latest;
  latest.seconds = order_ready(op);
  for (const TensorId tensor : graph_.inputs(op)) add_arrival(tensor, device, latest);
  return latest;
}

bool ScheduleState::fits(OpId op, DeviceId device) {
  free_ops_.collect_missing(op, placement_, missing_);
  // The op brings along the free ops it needs that are not placed yet, such as weights. Those that
  // may not be on this device take no room on it.
  std::erase_if(missing_, [&](OpId free) { return device_for_free(free, device) != device; });
  missing_.push_back(op);
  return memory_.fits(missing_, device);
}

DeviceId ScheduleState::last_resort(OpId op) const {
  if (group_device(op).valid()) return group_device(op);
  DeviceId best;
  bool best_reached = false;
  for (const DeviceId candidate : problem_.allowed_devices(op)) {
    const bool reached = data_ready(op, candidate) < kNever;
    // A route before room: bytes that do not fit can be repaired later, a plan without a route
    // cannot run at all.
    const bool wins = !best.valid() || (reached && !best_reached) ||
                      (reached == best_reached && memory_.room(candidate) > memory_.room(best));
    if (!wins) continue;
    best = candidate;
    best_reached = reached;
  }
  return best;
}

double ScheduleState::send(TensorId tensor, DeviceId device) {
  Arrival arrival;
  add_arrival(tensor, device, arrival);
  double arrives = arrival.seconds;
  const OpId producer = graph_.producer(tensor);
  const DeviceId from = placement_[producer.index()];
  if (from == device || find_copy(tensor, device) != nullptr) return arrives;
  // Without a route the plan is invalid, but the rest of it should still make sense.
  if (arrives == kNever) arrives = ends_[producer.index()];
  sent_.push_back(tensor);
  // A linked list per tensor, all in one array: most tensors have few copies or none.
  copies_.push_back({device, first_copy_[tensor.index()], arrives});
  first_copy_[tensor.index()] = static_cast<std::uint32_t>(copies_.size() - 1);
  if (contention_ && !is_free(producer)) {
    for (const std::uint32_t channel : cluster_.route(from, device).channels) {
      channel_free_[channel] = arrives;
    }
  }
  return arrives;
}

DeviceId ScheduleState::device_for_free(OpId op, DeviceId reader_device) const {
  if (group_device(op).valid()) return group_device(op);
  if (problem_.allowed(op, reader_device)) return reader_device;
  DeviceId nearest = problem_.allowed_devices(op).front();
  double least = kNever;
  for (const DeviceId from : problem_.allowed_devices(op)) {
    if (!cluster_.route(from, reader_device).exists()) continue;
    const double latency = cluster_.route(from, reader_device).latency_seconds;
    if (latency >= least) continue;
    least = latency;
    nearest = from;
  }
  return nearest;
}

double ScheduleState::send_inputs(OpId op, DeviceId device) {
  double ready = order_ready(op);
  for (const TensorId tensor : graph_.inputs(op)) ready = std::max(ready, send(tensor, device));
  return ready;
}

void ScheduleState::place_free(OpId op, DeviceId device) {
  const double ready = send_inputs(op, device);
  run(op, device, ready, ready);
}

double ScheduleState::bring_inputs(OpId op, DeviceId device) {
  sent_.clear();
  free_ops_.collect_missing(op, placement_, missing_);
  // In topological order, so that the source of a view is placed before the view.
  for (const OpId free : missing_) place_free(free, device_for_free(free, device));
  return send_inputs(op, device);
}

void ScheduleState::run(OpId op, DeviceId device, double start_seconds, double end_seconds) {
  placement_[op.index()] = device;
  group_devices_[problem_.group(op).index()] = device;
  starts_[op.index()] = start_seconds;
  ends_[op.index()] = end_seconds;
  memory_.place(op, device);
}

void ScheduleState::place_remaining() {
  for (const OpId op : graph_.topological_order()) {
    if (!is_placed(op)) place_free(op, last_resort(op));
  }
}

std::vector<double> priorities_by_start(const ScheduleState& state) {
  const std::size_t count = state.problem().op_count();
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t left, std::uint32_t right) {
    return state.start_seconds(OpId(left)) < state.start_seconds(OpId(right));
  });
  // Ranks instead of times: small whole numbers are exact in every file format.
  std::vector<double> priorities(count);
  for (std::size_t rank = 0; rank < count; ++rank) {
    priorities[order[rank]] = static_cast<double>(count - rank);
  }
  return priorities;
}

}  // namespace berth::place
