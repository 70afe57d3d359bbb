#include "sim/fast_engine.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <tuple>

namespace berth {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr std::uint32_t kNone = Program::kNone;

std::uint64_t bit(std::size_t device) { return std::uint64_t{1} << device; }

}  // namespace

bool FastEngine::applies_to(const Problem& problem) {
  const auto devices = problem.cluster().devices();
  return devices.size() <= kMaxDevices &&
         std::all_of(devices.begin(), devices.end(),
                     [](const Device& device) { return device.slots == 1; });
}

FastEngine::FastEngine(const Problem& problem)
    : problem_(problem), devices_(problem.device_count()) {
  compile_routes();
}

void FastEngine::compile_routes() {
  const Cluster& cluster = problem_.cluster();
  // A channel enters (or leaves) both of its ends when it is half-duplex, so a port is named by
  // device, direction and channel. The first exit of a device is no channel: it takes the releases
  // that are known late.
  enum { kEntry, kLate, kExit };
  std::map<std::tuple<std::size_t, int, std::uint32_t>, std::uint32_t> ports;
  for (std::size_t to = 0; to < devices_; ++to) {
    ports[{to, kLate, 0}];
    for (std::size_t from = 0; from < devices_; ++from) {
      const Route route = cluster.route(DeviceId(from), DeviceId(to));
      if (from == to || !route.exists()) continue;
      ports[{to, kEntry, route.channels.back()}];
      ports[{from, kExit, route.channels.front()}];
    }
  }
  std::uint32_t count = 0;
  for (auto& [name, port] : ports) port = count++;
  ports_.resize(count);
  entry_begins_.assign(devices_ + 1, count);
  exit_begins_.assign(devices_, count);
  for (const auto& [name, port] : ports) {
    const auto& [device, direction, channel] = name;
    entry_begins_[device] = std::min(entry_begins_[device], port);
    if (direction == kLate) exit_begins_[device] = port;
  }
  for (std::size_t from = 0; from < devices_; ++from) {
    for (std::size_t to = 0; to < devices_; ++to) {
      const Route route = cluster.route(DeviceId(from), DeviceId(to));
      const auto begin = static_cast<std::uint32_t>(route_channels_.size());
      const bool exists = from != to && route.exists();
      if (exists) {
        route_channels_.insert(route_channels_.end(), route.channels.begin(), route.channels.end());
      }
      routes_.push_back({.latency_seconds = route.latency_seconds,
                         .bandwidth = route.bandwidth,
                         .channel_begin = begin,
                         .channel_end = static_cast<std::uint32_t>(route_channels_.size()),
                         .entry = exists ? ports.at({to, kEntry, route.channels.back()}) : kNone,
                         .exit = exists ? ports.at({from, kExit, route.channels.front()}) : kNone});
    }
  }
}

void FastEngine::prepare(const Program& program, const Assignment& assignment, bool priorities) {
  program_ = &program;
  assignment_ = &assignment;
  units_.resize(program.units);
  edge_instances_.resize(program.edges);
  instances_.resize(std::size_t{program.tensors} + program.edges);
  if (program.has_aliases) sharing_.resize(instances_.size());
  changes_.resize(std::size_t{program.tensors} + 2 * std::size_t{program.edges});
  channel_free_.assign(problem_.cluster().channel_count(), 0);
  std::fill(ports_.begin(), ports_.end(), Port{kNever, kNone, kNone});
  instance_count_ = 0;
  change_count_ = 0;
  transfers_ = 0;
  transferred_bytes_ = 0;
  last_end_ = 0;
  frozen_ = 0;
  lanes_.resize(devices_);
  for (std::size_t d = 0; d < devices_; ++d) {
    lanes_[d] = Lane{};
    lanes_[d].entry_begin = entry_begins_[d];
    lanes_[d].entry_end = exit_begins_[d];
    lanes_[d].exit_end = entry_begins_[d + 1];
    offer_end_[d] = kNever;
    offer_start_[d] = kNever;
  }
  partition_storage(program, priorities);
}

// Each device's queues get as much of the common arrays as it has units.
void FastEngine::partition_storage(const Program& program, bool priorities) {
  std::uint32_t unit_counts[kMaxDevices] = {};
  for (std::uint32_t unit = 0; unit < program.units; ++unit) {
    const std::uint16_t device = assignment_->device[unit];
    units_[unit] = {0, program.unit_records[unit].waits, device};
    ++unit_counts[device];
    lanes_[device].level_bytes += program.param_bytes[unit];
  }
  if (priorities) {
    priority_lanes_.resize(devices_);
    priority_storage_.resize(program.units);
    ready_storage_.resize(program.units);
  } else {
    waiting_storage_.resize(program.units);
  }
  std::size_t begin = 0;
  for (std::size_t d = 0; d < devices_; ++d) {
    if (priorities) {
      priority_lanes_[d].waiting = Heap<WaitingWithPriority>(priority_storage_.data() + begin);
      priority_lanes_[d].ready = Heap<Ready>(ready_storage_.data() + begin);
    } else {
      lanes_[d].waiting = Heap<Waiting>(waiting_storage_.data() + begin);
    }
    begin += unit_counts[d];
  }
}

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
    account_in_order(lanes_[d], kNever, kNever, 0);
    outcome.peak_bytes[d] = lanes_[d].peak_bytes;
    outcome.busy_seconds[d] = lanes_[d].busy_seconds;
  }
}

template <bool kAliases, bool kPriorities>
bool FastEngine::loop() {
  for (const std::uint32_t unit : program_->sources) {
    ++units_[unit].waits;
    satisfy<kPriorities>(unit, 0);
  }
  for (;;) {
    double end = kNever;
    for (std::size_t d = 0; d < devices_; ++d) end = std::min(end, offer_end_[d]);
    if (end == kNever) return true;
    std::uint64_t tied = 0;
    for (std::size_t d = 0; d < devices_; ++d) {
      tied |= static_cast<std::uint64_t>(offer_end_[d] == end) << d;
    }
    const auto device = static_cast<std::size_t>(std::countr_zero(tied));
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
  std::size_t first = kMaxDevices;
  for (std::uint64_t rest = tied; rest != 0; rest &= rest - 1) {
    const auto device = static_cast<std::size_t>(std::countr_zero(rest));
    const bool lower = first == kMaxDevices || offer_unit_[device] < offer_unit_[first];
    if (offer_start_[device] < now && lower) first = device;
  }
  if (first < kMaxDevices) return finish<kAliases, kPriorities>(first, now);

  // All that started earlier has ended: devices commit to what starts now, then the ops of zero
  // length among it end, by op index.
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
      if (offer_unit_[device] < offer_unit_[lowest]) lowest = device;
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

template <bool kPriorities>
void FastEngine::make_offer(std::size_t device) {
  double start = kNever;
  std::uint32_t unit = 0;
  const double free_seconds = lanes_[device].free_seconds;
  if constexpr (kPriorities) {
    PriorityLane& lane = priority_lanes_[device];
    while (!lane.waiting.empty() && lane.waiting.top().seconds <= free_seconds) {
      const WaitingWithPriority& top = lane.waiting.top();
      lane.ready.push({top.priority, top.seconds, top.unit});
      lane.waiting.pop();
    }
    if (!lane.ready.empty()) {
      start = free_seconds;
      unit = lane.ready.top().unit;
    } else if (!lane.waiting.empty()) {
      start = lane.waiting.top().seconds;
      unit = lane.waiting.top().unit;
    }
  } else if (!lanes_[device].waiting.empty()) {
    const Waiting& top = lanes_[device].waiting.top();
    start = std::max(free_seconds, top.seconds);
    unit = top.unit;
  }
  offer_start_[device] = start;
  offer_unit_[device] = unit;
  offer_end_[device] = start == kNever ? kNever : start + assignment_->seconds[unit];
}

template <bool kPriorities>
inline void FastEngine::satisfy(std::uint32_t unit, double seconds) {
  UnitState& state = units_[unit];
  state.ready_seconds = std::max(state.ready_seconds, seconds);
  if (--state.waits != 0) return;
  const std::size_t device = state.device;
  bool changes_offer = state.ready_seconds <= offer_start_[device];
  if constexpr (kPriorities) {
    priority_lanes_[device].waiting.push({state.ready_seconds, assignment_->priority[unit], unit});
  } else {
    changes_offer = lanes_[device].waiting.push({state.ready_seconds, unit});
  }
  if (changes_offer && !(frozen_ & bit(device))) make_offer<kPriorities>(device);
}

template <bool kAliases, bool kPriorities>
inline bool FastEngine::finish(std::size_t device, double now) {
  const Program& program = *program_;
  const std::uint32_t unit = offer_unit_[device];
  const double start = offer_start_[device];
  if (frozen_ & bit(device)) {
    frozen_ &= ~bit(device);
  } else {
    take_offer<kPriorities>(device);
  }
  Lane& lane = lanes_[device];
  lane.free_seconds = now;
  lane.busy_seconds += assignment_->seconds[unit];
  last_end_ = now;

  const Program::Unit& record = program.unit_records[unit];
  const Program::Unit& next = program.unit_records[unit + 1];
  account(lane, start, now, record.start_bytes);
  lane.level_bytes -= record.temp_bytes;

  // While this op's consumers are told, the device's own offer waits: it is made at the end.
  frozen_ |= bit(device);
  std::uint32_t originals = kNone;
  if constexpr (kAliases) originals = create_originals(unit);
  const std::uint32_t first = record.tensor_begin;
  const std::uint32_t last = next.tensor_begin;
  for (std::uint32_t tensor = first; tensor < last; ++tensor) {
    if (!send<kAliases, kPriorities>(tensor, device, now, originals + (tensor - first))) {
      return false;
    }
  }
  for (std::uint32_t i = record.after_begin; i < next.after_begin; ++i) {
    satisfy<kPriorities>(program.after_units[i], now);
  }
  for (std::uint32_t i = record.input_begin; i < next.input_begin; ++i) {
    const std::uint32_t instance = edge_instances_[program.input_edges[i]];
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

// Sends the tensor once to every other device that reads it, in order of device, and tells every
// consumer when it will be there. Without aliases the original's instance is made here, and only if
// the tensor outlives this moment.
template <bool kAliases, bool kPriorities>
inline bool FastEngine::send(std::uint32_t tensor, std::size_t here, double now,
                             std::uint32_t original) {
  const Program& program = *program_;
  const Program::Tensor& record = program.tensor_records[tensor];
  const std::uint32_t first = record.edge_begin;
  const std::uint32_t last = program.tensor_records[tensor + 1].edge_begin;
  std::uint64_t readers = 0;
  for (std::uint32_t edge = first; edge < last; ++edge) {
    readers |= bit(units_[program.edge_units[edge]].device);
  }
  double hold_until = now;
  std::uint32_t held_by = kNone;  // port of the transfer that ends last
  for (std::uint64_t rest = readers & ~bit(here); rest != 0; rest &= rest - 1) {
    const auto there = static_cast<std::size_t>(std::countr_zero(rest));
    const RouteEntry& route = routes_[here * devices_ + there];
    if (route.entry == kNone) return false;
    const double end = reserve(route, now, record.bytes);
    lanes_[there].ahead_bytes += record.bytes;
    held_by = end > hold_until ? route.exit : held_by;
    hold_until = std::max(hold_until, end);
    arrival_at_[there] = end;
    instance_at_[there] = instance_count_;
    if constexpr (kAliases) sharing_[instance_count_] = {instance_count_, 1};
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
      append(held_by, hold_until, record.local_bytes);
    } else {
      lanes_[here].level_bytes -= record.local_bytes;
    }
  }
  arrival_at_[here] = now;
  for (std::uint32_t edge = first; edge < last; ++edge) {
    const std::uint32_t unit = program.edge_units[edge];
    const std::size_t device = units_[unit].device;
    const std::uint32_t instance = instance_at_[device];
    edge_instances_[edge] = instance;
    ++instances_[instance].readers;
    satisfy<kPriorities>(unit, arrival_at_[device]);
  }
  return true;
}

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

// For a release that was not known when its transfer was reserved, because somebody still read the
// tensor: it goes where its time belongs.
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
  while (changes_[changes_[before].next].seconds <= seconds) before = changes_[before].next;
  changes_[change] = {seconds, bytes, changes_[before].next};
  changes_[before].next = change;
}

std::uint32_t FastEngine::create_originals(std::uint32_t unit) {
  const Program& program = *program_;
  const std::uint32_t originals = instance_count_;
  const std::uint32_t first = program.unit_records[unit].tensor_begin;
  const std::uint32_t last = program.unit_records[unit + 1].tensor_begin;
  for (std::uint32_t tensor = first; tensor < last; ++tensor) {
    std::uint32_t root = instance_count_;
    if (program.alias_edge[tensor] != kNone) {
      root = sharing_[edge_instances_[program.alias_edge[tensor]]].root;
    } else if (program.alias_tensor[tensor] != kNone) {
      root = originals + program.alias_tensor[tensor] - first;
    }
    sharing_[instance_count_] = {root, root == instance_count_ ? 1u : 0u};
    instances_[instance_count_++] = {program.tensor_records[tensor].local_bytes, 0,
                                     program.tensor_records[tensor].kept};
  }
  // An alias may share another output of this unit that is itself an alias and comes later.
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

// Takes what lies before `seconds` (or, with `including`, also at it) off the list; sums it up.
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

// Brings the account of a device's memory up to `now`, when an op that started at `start` and took
// `start_bytes` then has just ended.
inline void FastEngine::account(Lane& lane, double start, double now, std::int64_t start_bytes) {
  if (lane.level_bytes + lane.ahead_bytes + start_bytes > lane.peak_bytes) {
    account_in_order(lane, start, now, start_bytes);
  } else {
    lane.level_bytes += start_bytes;
  }
  lane.instant = now;
}

// The same where a new peak is possible: what was left aside up to the last account is made good,
// and what came since is taken in order of time.
void FastEngine::account_in_order(Lane& lane, double start, double now, std::int64_t start_bytes) {
  const auto enter_until = [&](double seconds) {
    for (std::uint32_t p = lane.entry_begin; p < lane.entry_end; ++p) {
      if (ports_[p].seconds >= seconds) continue;
      const std::int64_t bytes = take_until(ports_[p], seconds, false);
      lane.level_bytes += bytes;
      lane.ahead_bytes -= bytes;
    }
  };
  // The level that held until an instant may be the peak. What happens at one instant counts only
  // when it is over.
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
  // Taken at the start, so after what was released up to then; an op of zero length takes its
  // memory at the very instant that is being accounted for.
  release_until(start);
  if (start < now) lane.level_bytes += start_bytes;
  release_until(now);
  reach(now);
  if (start >= now) lane.level_bytes += start_bytes;
}

}  // namespace berth
