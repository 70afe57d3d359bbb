// The hot loop of everything: devices with one slot, at most 64 of them.
//
// Only ends of ops are events. When an op ends, its transfers are reserved and their arrivals are
// known, so the moment the last producer of an op has ended, its ready time is known too, even if
// it lies ahead. A device therefore always knows its next op as things stand: the first of its
// queue, starting at max(device free, op ready). An op that becomes known later can only displace
// it by being ready earlier, which the queue's order says by itself. So every device has one
// standing offer (op, start, end); the earliest end over all devices happens next. With priorities
// the queue splits in two: ops ready when the device became free, by priority, and ops that will
// be, by time.
//
// Ops of zero length need the rounds of the rules: once the ends of an instant are done, all
// devices commit to the ops that start at it (frozen_) before any of those that end at it are
// finished.
//
// Memory is exact, but not every change is put in order of time. A peak can only lie just before
// something is given back, so allocations need no order among themselves: transfers entering a
// device by one channel start in order, so they queue up in a list a port, and are added up to the
// instant of the next release. Releases that lie ahead (a tensor held by its transfers out) wait in
// a small heap a device; the others happen at ends of the device's own ops, which come in order
// anyway.
#pragma once

#include <cstdint>
#include <vector>

#include "cost/problem.h"
#include "sim/assignment.h"
#include "sim/heap.h"
#include "sim/outcome.h"

namespace berth {

class FastEngine {
 public:
  static constexpr std::size_t kMaxDevices = 64;
  static bool applies_to(const Problem& problem);

  explicit FastEngine(const Problem& problem);
  void run(const Program& program, const Assignment& assignment, Outcome& outcome);

 private:
  // What is known of a unit that has not run.
  struct UnitState {
    double ready_seconds;
    std::uint32_t waits;
    std::uint16_t device;
  };
  struct Waiting {
    double seconds;
    std::uint32_t unit;
    bool operator<(const Waiting& other) const {
      return (seconds < other.seconds) | ((seconds == other.seconds) & (unit < other.unit));
    }
  };
  // With priorities, of ops that become ready at one instant the highest priority goes first.
  struct WaitingWithPriority {
    double seconds;
    double priority;
    std::uint32_t unit;
    bool operator<(const WaitingWithPriority& other) const {
      if (seconds != other.seconds) return seconds < other.seconds;
      if (priority != other.priority) return priority > other.priority;
      return unit < other.unit;
    }
  };
  struct Ready {
    double priority;
    double seconds;
    std::uint32_t unit;
    bool operator<(const Ready& other) const {
      if (priority != other.priority) return priority > other.priority;
      if (seconds != other.seconds) return seconds < other.seconds;
      return unit < other.unit;
    }
  };
  struct Release {
    double seconds;
    std::int64_t bytes;
    bool operator<(const Release& other) const { return seconds < other.seconds; }
  };
  // A transfer that will take memory at its destination, in the list of its port.
  struct Incoming {
    double seconds;
    std::int64_t bytes;
    std::uint32_t next;
  };
  struct Port {
    std::uint32_t head;
    std::uint32_t tail;
  };
  struct Instance {
    std::int64_t bytes;
    double hold_until;
    std::uint32_t readers;
  };
  // Only for graphs with aliases: whose memory an instance uses, and by how many a root is used.
  struct Sharing {
    std::uint32_t root;
    std::uint32_t holders;
  };
  struct RouteEntry {
    double latency_seconds;
    double bandwidth;
    std::uint32_t channel_begin;
    std::uint32_t channel_end;
    std::uint32_t port;
  };
  struct Lane {
    Heap<Waiting> waiting;
    double free_seconds;
    double busy_seconds;
    std::int64_t level_bytes;
    std::int64_t peak_bytes;
    double instant;  // memory is accounted for up to here
    Heap<Release> releases;
    std::uint32_t port_begin;
    std::uint32_t port_end;
  };
  struct PriorityLane {
    Heap<WaitingWithPriority> waiting;
    Heap<Ready> ready;
  };

  void compile_routes();
  void prepare(const Program& program, const Assignment& assignment, bool priorities);
  void partition_storage(const Program& program, bool priorities);
  template <bool kAliases, bool kPriorities>
  bool loop();
  template <bool kAliases, bool kPriorities>
  bool finish_tied(std::uint64_t tied, double now);
  template <bool kAliases, bool kPriorities>
  bool finish(std::size_t device, double now);
  template <bool kAliases, bool kPriorities>
  bool send(std::uint32_t tensor, std::size_t here, double now, std::uint32_t original);
  template <bool kPriorities>
  void satisfy(std::uint32_t unit, double seconds);
  template <bool kPriorities>
  void take_offer(std::size_t device);
  template <bool kPriorities>
  void make_offer(std::size_t device);

  double reserve(const RouteEntry& route, double now, std::int64_t bytes);
  std::uint32_t create_originals(std::uint32_t unit);
  template <bool kAliases>
  void release(std::size_t device, std::uint32_t instance, double now);
  void reach(Lane& lane, double seconds);
  void drain(Lane& lane, double until);

  const Problem& problem_;
  const Program* program_ = nullptr;
  const Assignment* assignment_ = nullptr;
  std::size_t devices_;

  std::vector<RouteEntry> routes_;  // devices x devices
  std::vector<std::uint32_t> route_channels_;
  std::vector<std::uint32_t> port_begins_;  // by device

  std::vector<UnitState> units_;
  std::vector<std::uint32_t> edge_instances_;
  std::vector<Instance> instances_;
  std::vector<Sharing> sharing_;
  std::uint32_t instance_count_ = 0;
  std::vector<double> channel_free_;
  std::vector<Incoming> incoming_;
  std::uint32_t incoming_count_ = 0;
  std::vector<Port> ports_;

  std::vector<Lane> lanes_;
  std::vector<PriorityLane> priority_lanes_;
  std::vector<Waiting> waiting_storage_;
  std::vector<WaitingWithPriority> priority_storage_;
  std::vector<Ready> ready_storage_;
  std::vector<Release> release_storage_;

  // The standing offer of every device; an end of infinity when there is none.
  double offer_end_[kMaxDevices];
  double offer_start_[kMaxDevices];
  std::uint32_t offer_unit_[kMaxDevices];
  std::uint64_t frozen_ = 0;  // devices committed to their offer, which has left the queue

  double arrival_at_[kMaxDevices];
  std::uint32_t instance_at_[kMaxDevices];
  std::int64_t transfers_ = 0;
  std::int64_t transferred_bytes_ = 0;
  double last_end_ = 0;
};

}  // namespace berth
