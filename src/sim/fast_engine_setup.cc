// What the fast engine does before a run: routes and ports once per problem, scratch memory once
// per call.
#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

#include "sim/fast_engine.h"

namespace berth {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr std::uint32_t kNone = Program::kNone;
// From this many kernels on, prefetching pays: the arrays (some 200 bytes per kernel) no longer fit
// in the cache of a core.
constexpr std::uint32_t kFetchFrom = 5'000;

}  // namespace

bool FastEngine::applies_to(const Problem& problem) {
  const auto devices = problem.cluster().devices();
  // The standing offers of the engine need one slot: then a device has exactly one next op. Every
  // event scans all offers, and sets of devices are 64-bit masks, so there must be few devices.
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
  // A half-duplex channel leads into and out of both of its ends, so a port is named by device,
  // direction and channel. The first exit of a device is no channel: it takes releases that become
  // known late.
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
  // Numbered in the order of the map: the ports of a device are consecutive, entries first, then
  // the late exit, then the channels. A lane needs only where each part begins.
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
  outgrown_ = program.kernels > kFetchFrom;
  // Resized, not cleared: an evaluation writes each entry before it reads it, and the search makes
  // millions of evaluations of one size, so nothing is allocated after the first.
  kernels_.resize(program.kernels);
  input_instances_.resize(program.edges);
  instances_.resize(std::size_t{program.tensors} + program.edges);
  if (program.has_aliases) sharing_.resize(instances_.size());
  // At most one copy per edge: an allocation for each, and a release for each copy and original.
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

// Each device's queues get as much of the common arrays as it has kernels.
void FastEngine::partition_storage(const Program& program, bool priorities) {
  std::uint32_t kernel_counts[kMaxDevices] = {};
  for (std::uint32_t kernel = 0; kernel < program.kernels; ++kernel) {
    const std::uint16_t device = assignment_->device[kernel];
    kernels_[kernel] = {0, program.waits[kernel], device};
    ++kernel_counts[device];
    lanes_[device].level_bytes += program.param_bytes[kernel];
  }
  if (priorities) {
    priority_lanes_.resize(devices_);
    priority_storage_.resize(program.kernels);
    ready_storage_.resize(program.kernels);
  } else {
    waiting_storage_.resize(program.kernels);
  }
  // No queue of a device can hold more than its own kernels, so one array serves all of them and
  // none can outgrow its part.
  std::size_t begin = 0;
  for (std::size_t d = 0; d < devices_; ++d) {
    if (priorities) {
      priority_lanes_[d].waiting = Heap<WaitingWithPriority>(priority_storage_.data() + begin);
      priority_lanes_[d].ready = Heap<Ready>(ready_storage_.data() + begin);
    } else {
      lanes_[d].waiting = Heap<Waiting>(waiting_storage_.data() + begin);
    }
    begin += kernel_counts[d];
  }
}

}  // namespace berth
