#include "sim/fast_engine.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace berth {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr std::uint32_t kNone = Program::kNone;

std::uint64_t bit(std::size_t device) { return std::uint64_t{1} << device; }

}  // namespace

void FastEngine::run(const Program& program, const Assignment& assignment, Outcome& outcome) {
  const bool priorities = !assignment.priority.empty();
  prepare(program, assignment, priorities);
  bool routable = false;
  if (program.has_aliases) {
    routable = priorities ? loop<true, true>() : loop<true, false>();
  } else {
    routable = priorities ? loop<false, true>() : loop<false, false>();
  }
  outcome.routable = routable;
  outcome.step_seconds = routable ? last_end_ : kNever;
  if (!routable) return;
  outcome.transfers = transfers_;
  outcome.transferred_bytes = transferred_bytes_;
  for (std::size_t d = 0; d < devices_; ++d) {
    // Changes that were left aside, and the level at the very end, may still hold the peak.
    account_in_order(lanes_[d], kNever, kNever, 0);
    outcome.peak_bytes[d] = lanes_[d].peak_bytes;
    outcome.busy_seconds[d] = lanes_[d].busy_seconds;
  }
}

template <bool kAliases, bool kPriorities>
bool FastEngine::loop() {
  for (const std::uint32_t kernel : program_->sources) {
    // A source waits for nothing. One pretended wait lets it take the same way as all others.
    ++kernels_[kernel].waits;
    satisfy<kPriorities>(kernel, 0);
  }
  for (;;) {
    // Both passes are free of branches: which device ends next is as good as random.
    double end = kNever;
    for (std::size_t d = 0; d < devices_; ++d) end = std::min(end, offer_end_[d]);
    if (end == kNever) return true;
    std::uint64_t tied = 0;
    for (std::size_t d = 0; d < devices_; ++d) {
      tied |= static_cast<std::uint64_t>(offer_end_[d] == end) << d;
    }
    const auto device = static_cast<std::size_t>(std::countr_zero(tied));
    // One end, and of an op that started earlier: neither the order of ties nor rounds matter.
    if ((tied & (tied - 1)) == 0 && offer_start_[device] < end) [[likely]] {
      if (!finish<kAliases, kPriorities>(device, end)) return false;
    } else if (!finish_tied<kAliases, kPriorities>(tied, end)) {
      return false;
    }
  }
}

// Several ends at one instant, or an end at the instant of its start.
template <bool kAliases, bool kPriorities>
bool FastEngine::finish_tied(std::uint64_t tied, double now) {
  // The rules go by op index among ends of one instant. Ties are rare, so a scan over the few
  // devices in the mask is cheaper than keeping them in any order.
  std::size_t first = kMaxDevices;
  for (std::uint64_t rest = tied; rest != 0; rest &= rest - 1) {
    const auto device = static_cast<std::size_t>(std::countr_zero(rest));
    const bool lower = first == kMaxDevices || offer_kernel_[device] < offer_kernel_[first];
    if (offer_start_[device] < now && lower) first = device;
  }
  if (first < kMaxDevices) return finish<kAliases, kPriorities>(first, now);

  // All ops that started earlier have ended. Now devices commit to what starts at this instant, and
  // then the ops of zero length among these end, in order of op index. All devices commit before
  // any of them ends, so that no op which becomes ready through these ends can displace an op that
  // starts in this round.
  for (std::size_t d = 0; d < devices_; ++d) {
    if (offer_start_[d] == now && !(frozen_ & bit(d))) {
      take_offer<kPriorities>(d);
      frozen_ |= bit(d);
    }
  }
  while (tied != 0) {
    auto lowest = static_cast<std::size_t>(std::countr_zero(tied));
    for (std::uint64_t rest = tied; rest != 0; rest &= rest - 1) {
      const auto device = static_cast<std::size_t>(std::countr_zero(rest));
      if (offer_kernel_[device] < offer_kernel_[lowest]) lowest = device;
    }
    tied &= ~bit(lowest);
    if (!finish<kAliases, kPriorities>(lowest, now)) return false;
  }
  return true;
}

template <bool kPriorities>
void FastEngine::take_offer(std::size_t device) {
  if constexpr (kPriorities) {
    PriorityLane& lane = priority_lanes_[device];
    if (!lane.ready.empty()) {
      lane.ready.pop();
    } else {
      lane.waiting.pop();
    }
  } else {
    lanes_[device].waiting.pop();
  }
}

// On a graph larger than the caches the loop would spend its time waiting for memory, because what
// a kernel needs at its end is reached through a sequence of addresses. So each address is
// prefetched one stage ahead: a kernel's record when it is among the next to be offered, what the
// record points to when it is offered, and what that points to at the start of finish().
inline void FastEngine::fetch_record(std::uint32_t kernel) const {
  __builtin_prefetch(&program_->kernel_records[kernel]);
  __builtin_prefetch(&assignment_->seconds[kernel]);
}

inline void FastEngine::fetch_lists(std::uint32_t kernel) const {
  const Program::Kernel& record = program_->kernel_records[kernel];
  __builtin_prefetch(&program_->tensor_records[record.tensor_begin]);
  __builtin_prefetch(&program_->edge_records[record.edge_begin]);
  __builtin_prefetch(&input_instances_[record.input_begin]);
}

// There is no heap of events: the next event is the least end of at most 64 offers in one array,
// and a scan of it takes fewer cycles than the mispredicted branches of a heap.
template <bool kPriorities>
void FastEngine::make_offer(std::size_t device) {
  double start = kNever;
  std::uint32_t kernel = 0;
  const double free_seconds = lanes_[device].free_seconds;
  if constexpr (kPriorities) {
    PriorityLane& lane = priority_lanes_[device];
    // Ops ready by the time the device is free compete by priority from now on. The device is never
    // free earlier again, so none has to move back.
    while (!lane.waiting.empty() && lane.waiting.top().seconds <= free_seconds) {
      const WaitingWithPriority& top = lane.waiting.top();
      lane.ready.push({top.priority, top.seconds, top.kernel});
      lane.waiting.pop();
    }
    // When nobody is ready the device idles until the first op is; of those ready at one instant,
    // `waiting` has the highest priority on top.
    if (!lane.ready.empty()) {
      start = free_seconds;
      kernel = lane.ready.top().kernel;
    } else if (!lane.waiting.empty()) {
      start = lane.waiting.top().seconds;
      kernel = lane.waiting.top().kernel;
    }
  } else if (!lanes_[device].waiting.empty()) {
    const Waiting& top = lanes_[device].waiting.top();
    start = std::max(free_seconds, top.seconds);
    kernel = top.kernel;
  }
  if (outgrown_ && start != kNever) {
    fetch_lists(kernel);
    if constexpr (!kPriorities) {
      // One of these two is on top once the offer is taken.
      const Heap<Waiting>& waiting = lanes_[device].waiting;
      if (waiting.size() > 2) {
        fetch_record(waiting.at(1).kernel);
        fetch_record(waiting.at(2).kernel);
      }
    }
  }
  offer_start_[device] = start;
  offer_kernel_[device] = kernel;
  offer_end_[device] = start == kNever ? kNever : start + assignment_->seconds[kernel];
}

template <bool kPriorities>
inline void FastEngine::satisfy(std::uint32_t kernel, double seconds) {
  KernelState& state = kernels_[kernel];
  state.ready_seconds = std::max(state.ready_seconds, seconds);
  if (--state.waits != 0) return;
  const std::size_t device = state.device;
  // Most ops that become ready queue behind the standing offer and do not change it. The branch is
  // predicted well, and most calls of make_offer() are saved. With priorities, an op that is ready
  // by the start of the offer may have a higher priority; without them, only a new top of the queue
  // matters.
  bool changes_offer = state.ready_seconds <= offer_start_[device];
  if constexpr (kPriorities) {
    priority_lanes_[device].waiting.push(
        {state.ready_seconds, assignment_->priority[kernel], kernel});
  } else {
    changes_offer = lanes_[device].waiting.push({state.ready_seconds, kernel});
  }
  if (changes_offer && !(frozen_ & bit(device))) make_offer<kPriorities>(device);
}

template <bool kAliases, bool kPriorities>
inline bool FastEngine::finish(std::size_t device, double now) {
  const Program& program = *program_;
  const std::uint32_t kernel = offer_kernel_[device];
  const double start = offer_start_[device];
  if (frozen_ & bit(device)) {
    frozen_ &= ~bit(device);
  } else {
    take_offer<kPriorities>(device);
  }
  Lane& lane = lanes_[device];
  lane.free_seconds = now;
  lane.busy_seconds += assignment_->seconds[kernel];
  last_end_ = now;

  const Program::Kernel& record = program.kernel_records[kernel];
  const Program::Kernel& next = program.kernel_records[kernel + 1];
  if (outgrown_) {
    for (std::uint32_t i = record.input_begin; i < next.input_begin; ++i) {
      __builtin_prefetch(&instances_[input_instances_[i]], 1);
    }
    for (std::uint32_t i = record.edge_begin; i < next.edge_begin; ++i) {
      __builtin_prefetch(&kernels_[program.edge_records[i].kernel], 1);
    }
  }
  // Before the workspace is given back: it was held until now and may have made the peak.
  account(lane, start, now, record.start_bytes);
  lane.level_bytes -= record.temp_bytes;

  // The device makes its next offer once, at the end, and not with every consumer that becomes
  // ready on it in the loops below.
  frozen_ |= bit(device);
  std::uint32_t originals = kNone;
  if constexpr (kAliases) originals = create_originals(kernel);
  const std::uint32_t first = record.tensor_begin;
  const std::uint32_t last = next.tensor_begin;
  for (std::uint32_t tensor = first; tensor < last; ++tensor) {
    if (!send<kAliases, kPriorities>(tensor, device, now, originals + (tensor - first))) {
      return false;
    }
  }
  for (std::uint32_t i = record.after_begin; i < next.after_begin; ++i) {
    satisfy<kPriorities>(program.after_kernels[i], now);
  }
  // After the outputs exist: an output that shares an input's memory must hold it before the input
  // is let go.
  for (std::uint32_t i = record.input_begin; i < next.input_begin; ++i) {
    const std::uint32_t instance = input_instances_[i];
    if (--instances_[instance].readers == 0) release<kAliases>(device, instance, now);
  }
  if constexpr (kAliases) {
    for (std::uint32_t i = originals; i < originals + (last - first); ++i) {
      if (instances_[i].readers == 0) release<kAliases>(device, i, now);
    }
  }
  frozen_ &= ~bit(device);
  make_offer<kPriorities>(device);
  return true;
}

// Sends the tensor once to every other device that reads it, in order of device, and tells each
// consumer when it arrives. Without aliases the original's instance is made here, and only if the
// tensor is still needed after this instant.
template <bool kAliases, bool kPriorities>
inline bool FastEngine::send(std::uint32_t tensor, std::size_t here, double now,
                             std::uint32_t original) {
  const Program& program = *program_;
  const Program::Tensor& record = program.tensor_records[tensor];
  const std::uint32_t first = record.edge_begin;
  const std::uint32_t last = program.tensor_records[tensor + 1].edge_begin;
  // One bit per device: a set without memory management, which is iterated in order of device.
  std::uint64_t readers = 0;
  for (std::uint32_t edge = first; edge < last; ++edge) {
    readers |= bit(kernels_[program.edge_records[edge].kernel].device);
  }
  double hold_until = now;
  std::uint32_t held_by = kNone;  // port of the transfer that ends last
  for (std::uint64_t rest = readers & ~bit(here); rest != 0; rest &= rest - 1) {
    const auto there = static_cast<std::size_t>(std::countr_zero(rest));
    const RouteEntry& route = routes_[here * devices_ + there];
    if (route.entry == kNone) return false;
    const double end = reserve(route, now, record.bytes);
    lanes_[there].ahead_bytes += record.bytes;
    // A conditional move, not a branch: which transfer ends last is as good as random.
    held_by = end > hold_until ? route.exit : held_by;
    hold_until = std::max(hold_until, end);
    arrival_at_[there] = end;
    instance_at_[there] = instance_count_;
    if constexpr (kAliases) sharing_[instance_count_] = {instance_count_, 1};
    // No transfer leaves from the copy itself, so it need not be held beyond its readers.
    instances_[instance_count_++] = {record.bytes, now, 0};
  }
  if constexpr (kAliases) {
    instances_[original].hold_until = hold_until;
    instance_at_[here] = original;
  } else {
    if ((readers & bit(here)) != 0 || record.kept != 0) {
      instance_at_[here] = instance_count_;
      instances_[instance_count_++] = {record.local_bytes, hold_until, record.kept};
    } else if (hold_until > now) {
      // No reader here will ever ask for it, so it needs no instance, only its release.
      append(held_by, hold_until, record.local_bytes);
    } else {
      lanes_[here].level_bytes -= record.local_bytes;
    }
  }
  arrival_at_[here] = now;
  for (std::uint32_t edge = first; edge < last; ++edge) {
    const auto [kernel, input] = program.edge_records[edge];
    const std::size_t device = kernels_[kernel].device;
    const std::uint32_t instance = instance_at_[device];
    input_instances_[input] = instance;
    ++instances_[instance].readers;
    satisfy<kPriorities>(kernel, arrival_at_[device]);
  }
  return true;
}

// A channel serves transfers one at a time in the order of reservation, and gaps are not filled
// later. So the instant at which it becomes free describes its whole queue. The sum is taken in the
// order of docs/execution.md: the engines must agree to the last bit.
inline double FastEngine::reserve(const RouteEntry& route, double now, std::int64_t bytes) {
  double start = now;
  for (std::uint32_t i = route.channel_begin; i < route.channel_end; ++i) {
    start = std::max(start, channel_free_[route_channels_[i]]);
  }
  const double end = start + route.latency_seconds + static_cast<double>(bytes) / route.bandwidth;
  for (std::uint32_t i = route.channel_begin; i < route.channel_end; ++i) {
    channel_free_[route_channels_[i]] = end;
  }
  ++transfers_;
  transferred_bytes_ += bytes;
  append(route.entry, start, bytes);
  return end;
}

// Changes are taken from one array and linked by index, so nothing is allocated during a run. The
// list of a port is sorted by itself, since transfers enter and leave through a channel in order of
// time.
inline void FastEngine::append(std::uint32_t index, double seconds, std::int64_t bytes) {
  Port& port = ports_[index];
  const std::uint32_t change = change_count_++;
  changes_[change] = {seconds, bytes, kNone};
  if (port.head == kNone) {
    port.head = change;
    port.seconds = seconds;
  } else {
    changes_[port.tail].next = change;
  }
  port.tail = change;
}

// For a release that was not known when its transfer was reserved, because the tensor still had
// readers. Its time may lie before changes that are already in the list, so it is sorted in.
void FastEngine::insert(std::uint32_t index, double seconds, std::int64_t bytes) {
  Port& port = ports_[index];
  if (port.head == kNone || changes_[port.tail].seconds <= seconds) {
    append(index, seconds, bytes);
    return;
  }
  const std::uint32_t change = change_count_++;
  if (seconds < port.seconds) {
    changes_[change] = {seconds, bytes, port.head};
    port.head = change;
    port.seconds = seconds;
    return;
  }
  std::uint32_t before = port.head;
  // Ends at the latest at the tail, which is later than `seconds` as checked above.
  while (changes_[changes_[before].next].seconds <= seconds) before = changes_[before].next;
  changes_[change] = {seconds, bytes, changes_[before].next};
  changes_[before].next = change;
}

std::uint32_t FastEngine::create_originals(std::uint32_t kernel) {
  const Program& program = *program_;
  const std::uint32_t originals = instance_count_;
  const std::uint32_t first = program.kernel_records[kernel].tensor_begin;
  const std::uint32_t last = program.kernel_records[kernel + 1].tensor_begin;
  for (std::uint32_t tensor = first; tensor < last; ++tensor) {
    std::uint32_t root = instance_count_;
    if (program.alias_input[tensor] != kNone) {
      root = sharing_[input_instances_[program.alias_input[tensor]]].root;
    } else if (program.alias_tensor[tensor] != kNone) {
      root = originals + program.alias_tensor[tensor] - first;
    }
    sharing_[instance_count_] = {root, root == instance_count_ ? 1u : 0u};
    instances_[instance_count_++] = {program.tensor_records[tensor].local_bytes, 0,
                                     program.tensor_records[tensor].kept};
  }
  // An alias may share another output of this kernel that is an alias itself and comes later, so
  // roots are resolved only when all outputs exist.
  for (std::uint32_t i = originals; i < instance_count_; ++i) {
    std::uint32_t root = sharing_[i].root;
    while (sharing_[root].root != root) root = sharing_[root].root;
    sharing_[i].root = root;
    if (root != i) ++sharing_[root].holders;
  }
  return originals;
}

template <bool kAliases>
inline void FastEngine::release(std::size_t device, std::uint32_t index, double now) {
  double until = instances_[index].hold_until;
  if constexpr (kAliases) {
    const std::uint32_t root = sharing_[index].root;
    // The buffer is free when the last tensor that shares it is free and every transfer from any of
    // them has ended.
    until = std::max(until, instances_[root].hold_until);
    instances_[root].hold_until = until;
    if (--sharing_[root].holders > 0) return;
    index = root;
  }
  Lane& lane = lanes_[device];
  if (until > now) {
    insert(lane.entry_end, until, instances_[index].bytes);
  } else {
    lane.level_bytes -= instances_[index].bytes;
  }
}

// Removes the changes before `seconds` (with `including`, also those at `seconds`) from the list
// and returns their sum.
inline std::int64_t FastEngine::take_until(Port& port, double seconds, bool including) {
  std::int64_t bytes = 0;
  std::uint32_t head = port.head;
  while (head != kNone &&
         (changes_[head].seconds < seconds || (including && changes_[head].seconds == seconds))) {
    bytes += changes_[head].bytes;
    head = changes_[head].next;
  }
  port.head = head;
  port.seconds = head == kNone ? kNever : changes_[head].seconds;
  return bytes;
}

// Brings the account of a device's memory up to `now`, the end of an op that started at `start` and
// allocated `start_bytes` then. The sum on the left bounds every level since the last account from
// above: all that may come in is counted, and nothing that is released.
inline void FastEngine::account(Lane& lane, double start, double now, std::int64_t start_bytes) {
  if (lane.level_bytes + lane.ahead_bytes + start_bytes > lane.peak_bytes) {
    account_in_order(lane, start, now, start_bytes);
  } else {
    lane.level_bytes += start_bytes;
  }
  lane.instant = now;
}

// The same where a new peak is possible. Changes up to the last account were covered by the bound
// in account(), so they are applied without looking at the peak; later ones in order of time.
void FastEngine::account_in_order(Lane& lane, double start, double now, std::int64_t start_bytes) {
  const auto enter_until = [&](double seconds) {
    for (std::uint32_t p = lane.entry_begin; p < lane.entry_end; ++p) {
      if (ports_[p].seconds >= seconds) continue;
      const std::int64_t bytes = take_until(ports_[p], seconds, false);
      lane.level_bytes += bytes;
      lane.ahead_bytes -= bytes;
    }
  };
  // The level that held until this instant may be the peak. Levels within an instant do not count:
  // the rules take the level after all changes of the instant.
  const auto reach = [&](double seconds) {
    if (seconds <= lane.instant) return;
    enter_until(seconds);
    lane.peak_bytes = std::max(lane.peak_bytes, lane.level_bytes);
    lane.instant = seconds;
  };
  const auto release_until = [&](double seconds) {
    for (;;) {
      std::uint32_t first = lane.entry_end;
      for (std::uint32_t p = first + 1; p < lane.exit_end; ++p) {
        first = ports_[p].seconds < ports_[first].seconds ? p : first;
      }
      const double at = ports_[first].seconds;
      if (at > seconds || at == kNever) return;
      reach(at);
      lane.level_bytes -= take_until(ports_[first], at, true);
    }
  };
  enter_until(lane.instant);
  for (std::uint32_t p = lane.entry_end; p < lane.exit_end; ++p) {
    if (ports_[p].seconds <= lane.instant) {
      lane.level_bytes -= take_until(ports_[p], lane.instant, true);
    }
  }
  // start_bytes are allocated after everything that was released up to the start. The allocations
  // of an op of zero length belong to the instant `now` itself, whose level is not final yet.
  release_until(start);
  if (start < now) lane.level_bytes += start_bytes;
  release_until(now);
  reach(now);
  if (start >= now) lane.level_bytes += start_bytes;
}

}  // namespace berth
