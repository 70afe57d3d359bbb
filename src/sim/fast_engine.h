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
// Memory is exact, but changes are hardly ever put in order of time. Transfers that enter a device
// by one channel start in order, and those that leave by one channel end in order, so allocations
// and releases that lie ahead queue up in one list per channel. As long as the level stays below
// the peak so far even with all that is going to come in and nothing of that is going to be
// released, no new peak can have been there, and the lists are left alone. Only otherwise are they
// made good, and the time since the last op's end gone through in order; and even then allocations
// need no order among themselves, since a peak lies just before something is released.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "cost/problem.h"
#include "sim/assignment.h"
#include "sim/heap.h"
#include "sim/outcome.h"
#include "sim/ready.h"

namespace berth {

class FastEngine {
 public:
  static constexpr std::size_t kMaxDevices = 64;
  static bool applies_to(const Problem& problem);

  explicit FastEngine(const Problem& problem);
  void run(const Program& program, const Assignment& assignment, Outcome& outcome);

 private:
  // What is known of a kernel that has not run.
  struct KernelState {
    double ready_seconds;
    std::uint32_t waits;
    std::uint16_t device;
  };
  struct Waiting {
    double seconds;
    std::uint32_t kernel;
    // Times are not negative, so their bits compare as they do; one wide comparison has no branch.
    bool operator<(const Waiting& other) const { return key() < other.key(); }
    __extension__ unsigned __int128 key() const {
      __extension__ using Wide = unsigned __int128;
      return Wide{std::bit_cast<std::uint64_t>(seconds)} << 64 | kernel;
    }
  };
  // With priorities, of ops that become ready at one instant the highest priority goes first.
  struct WaitingWithPriority {
    double seconds;
    double priority;
    std::uint32_t kernel;
    bool operator<(const WaitingWithPriority& other) const {
      if (seconds != other.seconds) return seconds < other.seconds;
      if (priority != other.priority) return priority > other.priority;
      return kernel < other.kernel;
    }
  };
  // A change of memory that lies ahead, in the list of its port, in order of time.
  struct Change {
    double seconds;
    std::int64_t bytes;
    std::uint32_t next;
  };
  // A channel by which transfers enter or leave a device, with what they will take or give back.
  struct Port {
    double seconds;  // of the head; infinite when the list is empty
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
    std::uint32_t entry;  // port by which it enters the destination; kNone when there is no route
    std::uint32_t exit;   // port by which it leaves the source
  };
  struct Lane {
    Heap<Waiting> waiting;
    double free_seconds;
    double busy_seconds;
    std::int64_t level_bytes;  // what is released meanwhile may still be in it, see account()
    std::int64_t ahead_bytes;  // of transfers that have not been added to the level
    std::int64_t peak_bytes;
    double instant;             // memory is accounted for up to here
    std::uint32_t entry_begin;  // ports by which transfers enter
    std::uint32_t entry_end;    // and, up to exit_end, by which they leave; one at least
    std::uint32_t exit_end;
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
  void satisfy(std::uint32_t kernel, double seconds);
  template <bool kPriorities>
  void take_offer(std::size_t device);
  template <bool kPriorities>
  void make_offer(std::size_t device);

  void fetch_record(std::uint32_t kernel) const;
  void fetch_lists(std::uint32_t kernel) const;

  double reserve(const RouteEntry& route, double now, std::int64_t bytes);
  void append(std::uint32_t port, double seconds, std::int64_t bytes);
  void insert(std::uint32_t port, double seconds, std::int64_t bytes);
  std::int64_t take_until(Port& port, double seconds, bool including);
  void account(Lane& lane, double start, double now, std::int64_t start_bytes);
  void account_in_order(Lane& lane, double start, double now, std::int64_t start_bytes);
  std::uint32_t create_originals(std::uint32_t kernel);
  template <bool kAliases>
  void release(std::size_t device, std::uint32_t instance, double now);

  const Problem& problem_;
  const Program* program_ = nullptr;
  const Assignment* assignment_ = nullptr;
  std::size_t devices_;
  bool outgrown_ = false;  // the caches, see fetch_record()

  std::vector<RouteEntry> routes_;  // devices x devices
  std::vector<std::uint32_t> route_channels_;
  std::vector<std::uint32_t> entry_begins_, exit_begins_;  // by device: its ports

  std::vector<KernelState> kernels_;
  std::vector<std::uint32_t> input_instances_;
  std::vector<Instance> instances_;
  std::vector<Sharing> sharing_;
  std::uint32_t instance_count_ = 0;
  std::vector<double> channel_free_;
  std::vector<Change> changes_;
  std::uint32_t change_count_ = 0;
  std::vector<Port> ports_;

  std::vector<Lane> lanes_;
  std::vector<PriorityLane> priority_lanes_;
  std::vector<Waiting> waiting_storage_;
  std::vector<WaitingWithPriority> priority_storage_;
  std::vector<Ready> ready_storage_;

  // The standing offer of every device; an end of infinity when there is none.
  double offer_end_[kMaxDevices];
  double offer_start_[kMaxDevices];
  std::uint32_t offer_kernel_[kMaxDevices];
  std::uint64_t frozen_ = 0;  // devices committed to their offer, which has left the queue

  double arrival_at_[kMaxDevices];
  std::uint32_t instance_at_[kMaxDevices];
  std::int64_t transfers_ = 0;
  std::int64_t transferred_bytes_ = 0;
  double last_end_ = 0;
};

}  // namespace berth
