#include "place/repair/memory_estimate.h"

#include <algorithm>
#include <cassert>

namespace berth::place {

MemoryEstimate::MemoryEstimate(const Problem& problem, std::span<const std::int64_t> limits,
                               const FreeOps& free_ops)
    : problem_(problem),
      graph_(problem.graph()),
      free_ops_(free_ops),
      limits_(limits.begin(), limits.end()),
      binding_(may_bind()) {
  if (!binding_) return;
  const std::size_t devices = problem.device_count();
  histories_.assign(devices, LevelHistory(problem.op_count() + 1));
  param_bytes_.assign(devices, 0);
  group_param_bytes_.assign(problem.group_count(), 0);
  group_devices_.assign(problem.group_count(), DeviceId::none());
  placement_.assign(problem.op_count(), DeviceId::none());
  positions_.assign(problem.op_count(), 0);
  op_stamps_.assign(problem.op_count(), 0);
  group_stamps_.assign(problem.group_count(), 0);
  tensor_stamps_.assign(graph_.tensor_count(), 0);
  for (std::size_t index = 0; index < problem.op_count(); ++index) {
    const OpId op(index);
    group_param_bytes_[problem.group(op).index()] += graph_.param_bytes(op);
  }
  find_roots();
}

bool MemoryEstimate::may_bind() const {
  // A device holds a tensor at most once, made there or copied there. In doubles, as the sum may
  // not fit an integer; the margin covers their rounding.
  double total = 0;
  double largest_workspace = 0;
  for (std::size_t index = 0; index < problem_.op_count(); ++index) {
    total += static_cast<double>(graph_.param_bytes(OpId(index)));
    largest_workspace =
        std::max(largest_workspace, static_cast<double>(graph_.temp_bytes(OpId(index))));
  }
  for (std::size_t index = 0; index < graph_.tensor_count(); ++index) {
    total += static_cast<double>(graph_.bytes(TensorId(index)));
  }
  std::int64_t most_slots = 1;
  std::int64_t smallest_limit = kUnlimitedBytes;
  for (std::size_t index = 0; index < limits_.size(); ++index) {
    most_slots = std::max(most_slots, problem_.cluster().device(DeviceId(index)).slots);
    if (limits_[index] > 0) smallest_limit = std::min(smallest_limit, limits_[index]);
  }
  total += largest_workspace * static_cast<double>(most_slots);
  return total * 1.000001 > static_cast<double>(smallest_limit);
}

void MemoryEstimate::find_roots() {
  const std::size_t tensors = graph_.tensor_count();
  roots_.resize(tensors);
  unused_.assign(tensors, 0);
  first_held_.assign(tensors, kEnd);
  for (const OpId op : graph_.topological_order()) {
    for (std::size_t k = 0; k < graph_.output_count(op); ++k) {
      const TensorId tensor = graph_.output(op, k);
      const std::uint32_t alias = graph_.alias(tensor);
      const TensorId root =
          alias == Graph::kNone ? tensor : roots_[graph_.inputs(op)[alias].index()];
      roots_[tensor.index()] = root;
      // A buffer lives as long as any of its views, so the readers of all of them are counted
      // together.
      unused_[root.index()] += static_cast<std::uint32_t>(graph_.consumers(tensor).size());
    }
  }
}

std::int64_t MemoryEstimate::room(DeviceId device) const {
  const std::size_t index = device.index();
  if (!binding_) return limits_[index];
  return limits_[index] - param_bytes_[index] - histories_[index].peak();
}

bool MemoryEstimate::fits(std::span<const OpId> ops, DeviceId device) {
  if (limits_[device.index()] <= 0) return false;
  return !binding_ || room_after(ops, device) >= 0;
}

bool MemoryEstimate::is_new(std::vector<std::uint32_t>& stamps, std::size_t index) {
  if (stamps[index] == stamp_) return false;
  stamps[index] = stamp_;
  return true;
}

std::uint32_t MemoryEstimate::sent_at(TensorId tensor) const {
  const OpId producer = graph_.producer(tensor);
  return free_ops_.contains(producer) ? 0 : positions_[producer.index()] + 1;
}

// Adds up what the op would bring to the device: parameters of its group, copies of its inputs (to
// arrivals_), and its outputs, which are returned unless the op is free: those are there from the
// start.
std::int64_t MemoryEstimate::gather(OpId op, DeviceId device, std::int64_t& param_bytes) {
  const GroupId group = problem_.group(op);
  // Marks the op as one of these, so that its outputs do not count as copies to be sent.
  is_new(op_stamps_, op.index());
  if (!group_devices_[group.index()].valid() && is_new(group_stamps_, group.index())) {
    param_bytes += group_param_bytes_[group.index()];
  }
  for (const TensorId tensor : graph_.inputs(op)) {
    const OpId producer = graph_.producer(tensor);
    const bool among_these = op_stamps_[producer.index()] == stamp_;
    if (among_these || !is_new(tensor_stamps_, tensor.index())) continue;
    if (find(tensor, device) != nullptr) continue;
    arrivals_.push_back({sent_at(tensor), graph_.bytes(tensor)});
  }
  std::int64_t output_bytes = 0;
  for (std::size_t k = 0; k < graph_.output_count(op); ++k) {
    const TensorId tensor = graph_.output(op, k);
    if (graph_.alias(tensor) != Graph::kNone || graph_.resident(tensor)) continue;
    output_bytes += graph_.bytes(tensor);
  }
  if (!free_ops_.contains(op)) return output_bytes + graph_.temp_bytes(op);
  if (output_bytes > 0) arrivals_.push_back({0, output_bytes});
  return 0;
}

std::int64_t MemoryEstimate::room_after(std::span<const OpId> ops, DeviceId device) {
  ++stamp_;
  arrivals_.clear();
  std::int64_t param_bytes = param_bytes_[device.index()];
  std::int64_t new_bytes = 0;
  for (const OpId op : ops) new_bytes += gather(op, device, param_bytes);

  LevelHistory& history = histories_[device.index()];
  // The position that the next op would get.
  history.advance(now_ + 1);
  // In order of time, so that one pass finds how high the past would have been: a copy is on the
  // device from when it is sent, long before its reader runs.
  std::sort(arrivals_.begin(), arrivals_.end(),
            [](const Arrival& left, const Arrival& right) { return left.since < right.since; });
  std::int64_t peak = history.peak();
  std::int64_t arrived = 0;
  for (std::size_t index = 0; index < arrivals_.size(); ++index) {
    arrived += arrivals_[index].bytes;
    const bool last = index + 1 == arrivals_.size();
    const std::uint32_t until = last ? now_ + 1 : arrivals_[index + 1].since;
    peak = std::max(peak, arrived + history.peak_between(arrivals_[index].since, until));
  }
  peak = std::max(peak, history.level() + arrived + new_bytes);
  return limits_[device.index()] - param_bytes - peak;
}

MemoryEstimate::Holding* MemoryEstimate::find(TensorId tensor, DeviceId device) {
  OpId producer = graph_.producer(tensor);
  // A view made on this device is the tensor it is a view of.
  while (placement_[producer.index()] == device && graph_.alias(tensor) != Graph::kNone) {
    tensor = graph_.inputs(producer)[graph_.alias(tensor)];
    producer = graph_.producer(tensor);
  }
  std::uint32_t at = first_held_[roots_[tensor.index()].index()];
  while (at != kEnd) {
    Holding& holding = holdings_[at];
    if (holding.tensor == tensor && holding.device == device) return &holding;
    at = holding.next;
  }
  return nullptr;
}

void MemoryEstimate::hold(TensorId tensor, DeviceId device, std::int64_t bytes,
                          std::uint32_t since) {
  std::uint32_t& first = first_held_[roots_[tensor.index()].index()];
  holdings_.push_back({tensor, device, false, now_, first, bytes});
  first = static_cast<std::uint32_t>(holdings_.size() - 1);
  if (bytes > 0) histories_[device.index()].add(bytes, since);
}

void MemoryEstimate::place(OpId op, DeviceId device) {
  if (!binding_) return;
  const bool free = free_ops_.contains(op);
  if (!free) ++now_;
  positions_[op.index()] = free ? 0 : now_;
  placement_[op.index()] = device;
  DeviceId& group_device = group_devices_[problem_.group(op).index()];
  if (!group_device.valid()) {
    group_device = device;
    param_bytes_[device.index()] += group_param_bytes_[problem_.group(op).index()];
  }
  histories_[device.index()].advance(now_);
  for (const TensorId tensor : graph_.inputs(op)) {
    Holding* holding = find(tensor, device);
    if (holding == nullptr) {
      hold(tensor, device, graph_.bytes(tensor), sent_at(tensor));
    } else {
      holding->last_use = now_;
    }
  }
  place_outputs(op, device);
  ++stamp_;
  for (const TensorId tensor : graph_.inputs(op)) {
    if (is_new(tensor_stamps_, tensor.index())) use_up(tensor);
  }
}

void MemoryEstimate::place_outputs(OpId op, DeviceId device) {
  for (std::size_t k = 0; k < graph_.output_count(op); ++k) {
    const TensorId tensor = graph_.output(op, k);
    if (graph_.alias(tensor) == Graph::kNone) {
      hold(tensor, device, graph_.resident(tensor) ? 0 : graph_.bytes(tensor),
           positions_[op.index()]);
    }
    if (!graph_.is_graph_output(tensor)) continue;
    Holding* holding = find(tensor, device);
    assert(holding != nullptr);
    holding->kept = true;
  }
  if (graph_.temp_bytes(op) > 0) histories_[device.index()].pass(graph_.temp_bytes(op));
  for (std::size_t k = 0; k < graph_.output_count(op); ++k) {
    const TensorId root = roots_[graph_.output(op, k).index()];
    if (unused_[root.index()] == 0) release(root);
  }
}

void MemoryEstimate::use_up(TensorId tensor) {
  const TensorId root = roots_[tensor.index()];
  assert(unused_[root.index()] > 0);
  if (--unused_[root.index()] == 0) release(root);
}

void MemoryEstimate::release(TensorId root) {
  std::uint32_t at = first_held_[root.index()];
  while (at != kEnd) {
    const Holding& holding = holdings_[at];
    if (holding.bytes > 0 && !holding.kept) {
      histories_[holding.device.index()].remove(holding.bytes, holding.last_use + 1);
    }
    at = holding.next;
  }
  first_held_[root.index()] = kEnd;
}

}  // namespace berth::place
