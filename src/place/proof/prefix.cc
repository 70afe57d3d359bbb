#include "place/proof/prefix.h"

#include <algorithm>
#include <limits>

namespace berth::place {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

}  // namespace

Prefix::Prefix(const Relaxation& relaxation)
    : problem_(relaxation),
      starts_(relaxation.ops, -1),
      arrivals_(relaxation.tensors * relaxation.devices, -1),
      device_floors_(relaxation.devices, 0),
      channel_free_(relaxation.problem.cluster().channel_count(), 0),
      waits_(relaxation.ops, 0),
      ready_(relaxation.devices),
      running_(relaxation.devices) {}

void Prefix::run(const Domains& domains) {
  double now = 0;
  if (begin(domains)) {
    do {
      start_ops(now);
      now = next_event();
    } while (now < kNever && handle(domains, now));
  }
  stop(now);
}

// False when an op without predecessors is not decided.
bool Prefix::begin(const Domains& domains) {
  open_group_ = kNoGroup;
  sent_ = 0;
  std::fill(starts_.begin(), starts_.end(), -1);
  std::fill(arrivals_.begin(), arrivals_.end(), -1);
  std::fill(channel_free_.begin(), channel_free_.end(), 0);
  travelling_.clear();
  for (auto& list : ready_) list.clear();
  for (auto& list : running_) list.clear();
  for (const std::uint32_t op : problem_.sources) {
    if (is_single(domains[problem_.group_of[op]])) continue;
    // It may occupy any of its devices from the first instant on, so nothing is determined. The
    // search is told to decide this group next.
    open_group_ = problem_.group_of[op];
    return false;
  }
  for (std::size_t op = 0; op < problem_.ops; ++op) {
    waits_[op] =
        static_cast<std::uint32_t>(problem_.inputs.row(op).size() + problem_.after.row(op).size());
  }
  for (const std::uint32_t op : problem_.sources) {
    auto& ready = ready_[lowest(domains[problem_.group_of[op]])];
    ready.push_back({0, problem_.index_of[op], op});
    std::push_heap(ready.begin(), ready.end());
  }
  return true;
}

void Prefix::start_ops(double now) {
  for (std::size_t d = 0; d < problem_.devices; ++d) {
    auto& ready = ready_[d];
    while (!ready.empty() && static_cast<double>(running_[d].size()) < problem_.slots[d]) {
      const std::uint32_t op = ready.front().op;
      std::pop_heap(ready.begin(), ready.end());
      ready.pop_back();
      starts_[op] = now;
      running_[d].push_back({now + problem_.cost(op, d), op});
    }
  }
}

double Prefix::next_event() const {
  double next = travelling_.empty() ? kNever : travelling_.front().arrival;
  for (const auto& list : running_) {
    for (const Running& running : list) next = std::min(next, running.end);
  }
  return next;
}

// One round of an instant; false when what happens in it is open.
bool Prefix::handle(const Domains& domains, double now) {
  ended_.clear();
  for (const auto& list : running_) {
    for (const Running& running : list) {
      if (running.end != now) continue;
      // Checked for all ends of the instant before any is handled. The rules handle ends by op
      // index, and a half-handled instant would be a state that no run is ever in.
      if (!settled(domains, running.op)) return false;
      ended_.push_back(running);
    }
  }
  std::sort(ended_.begin(), ended_.end(), [&](const Running& left, const Running& right) {
    return problem_.index_of[left.op] < problem_.index_of[right.op];
  });
  for (const Running& running : ended_) finish(domains, running.op, now);
  while (!travelling_.empty() && travelling_.front().arrival == now) {
    const Travelling arrived = travelling_.front();
    std::pop_heap(travelling_.begin(), travelling_.end());
    travelling_.pop_back();
    for (const std::uint32_t reader : problem_.readers.row(arrived.tensor)) {
      if (domains[problem_.group_of[reader]] == only(arrived.to)) satisfy(domains, reader, now);
    }
  }
  return true;
}

bool Prefix::settled(const Domains& domains, std::uint32_t op) {
  const auto decided = [&](std::uint32_t other) {
    const bool single = is_single(domains[problem_.group_of[other]]);
    if (!single) open_group_ = problem_.group_of[other];
    return single;
  };
  for (std::uint32_t t = problem_.output_begin[op]; t < problem_.output_begin[op + 1]; ++t) {
    const auto readers = problem_.readers.row(t);
    if (!std::all_of(readers.begin(), readers.end(), decided)) return false;
  }
  const auto later = problem_.later.row(op);
  return std::all_of(later.begin(), later.end(), decided);
}

void Prefix::finish(const Domains& domains, std::uint32_t op, double now) {
  const DeviceSet here = domains[problem_.group_of[op]];
  auto& running = running_[lowest(here)];
  running.erase(std::find_if(running.begin(), running.end(),
                             [&](const Running& other) { return other.op == op; }));
  for (std::uint32_t t = problem_.output_begin[op]; t < problem_.output_begin[op + 1]; ++t) {
    DeviceSet places = 0;
    for (const std::uint32_t reader : problem_.readers.row(t)) {
      const DeviceSet place = domains[problem_.group_of[reader]];
      places |= place;
      if (place == here) satisfy(domains, reader, now);
    }
    for_each_device(places & ~here, [&](std::size_t to) { send(t, lowest(here), to, now); });
  }
  for (const std::uint32_t later : problem_.later.row(op)) satisfy(domains, later, now);
}

void Prefix::send(std::uint32_t tensor, std::size_t from, std::size_t to, double now) {
  const std::size_t route = from * problem_.devices + to;
  const std::size_t sort = problem_.route_sort[route];
  double start = now;
  for (const std::uint32_t channel : problem_.channels.row(route)) {
    start = std::max(start, channel_free_[channel]);
  }
  // In the simulator's order of additions, as a last bit may decide who goes first.
  const double arrival =
      start + problem_.latencies[sort] + problem_.on_wire[tensor * problem_.sorts + sort];
  for (const std::uint32_t channel : problem_.channels.row(route)) {
    channel_free_[channel] = arrival;
  }
  arrivals_[tensor * problem_.devices + to] = arrival;
  travelling_.push_back({arrival, sent_++, tensor, static_cast<std::uint32_t>(to)});
  std::push_heap(travelling_.begin(), travelling_.end());
}

void Prefix::satisfy(const Domains& domains, std::uint32_t op, double now) {
  if (--waits_[op] != 0) return;
  auto& ready = ready_[lowest(domains[problem_.group_of[op]])];
  ready.push_back({now, problem_.index_of[op], op});
  std::push_heap(ready.begin(), ready.end());
}

void Prefix::stop(double now) {
  for (std::size_t d = 0; d < problem_.devices; ++d) {
    double free = kNever;
    for (const Running& running : running_[d]) free = std::min(free, running.end);
    // Ops that have started end when they do in every completion. A device with a free slot may
    // take a new op from this instant on.
    const bool full = static_cast<double>(running_[d].size()) >= problem_.slots[d];
    device_floors_[d] = full ? std::max(now, free) : now;
  }
}

}  // namespace berth::place
