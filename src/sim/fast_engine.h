// The engine behind nearly every evaluation: for clusters of at most 64 devices with one slot each.
// It gives the same outcome as the general engine, bit for bit, and records no timeline.
//
// Events. Only the ends of ops are events. When an op ends, its transfers are reserved, so their
// arrival times are known. An op's ready time is therefore known as soon as the last of its
// producers has ended, even if it lies in the future. So each device has a standing offer: the op
// it will run next as far as is known (the first of its queue), which starts at max(device free, op
// ready), and its end. An op that becomes known later replaces the offer only if it precedes it in
// the queue. The earliest end over all offers is the next event. With priorities a device has two
// queues: ops that are ready when the device becomes free, by priority, and ops that become ready
// later, by time.
//
// Ops of zero length need the rounds of the execution rules. When all ends of an instant are
// handled, every device whose offer starts at this instant commits to it (frozen_), and only then
// do the ops of zero length among them end.
//
// Memory. Peaks are exact, although changes of memory are rarely put in order of time. Transfers
// that enter a device through one channel start in order, and transfers that leave through one
// channel end in order. So allocations and releases of the future wait in one list per channel and
// direction (a port), and each list is sorted without any work. As long as the level, with
// everything that is still to come in and with nothing released, does not exceed the peak so far,
// no new peak is possible, and the lists are not touched. Otherwise the changes since the last
// account are applied in order of time. Even then allocations need no order among themselves: a
// level can only be the peak just before a release.
//
// Cost: per op O(devices) to find the next event and O(log queue), and per transfer O(channels of
// its route).
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
  // A kernel that has not run yet.
  struct KernelState {
    double ready_seconds;
    std::uint32_t waits;
    std::uint16_t device;
  };
  struct Waiting {
    double seconds;
    std::uint32_t kernel;
    // For doubles that are not negative, the order of the bit patterns is the order of the values.
    // One wide comparison of (time, kernel) has no branch.
    bool operator<(const Waiting& other) const { return key() < other.key(); }
    __extension__ unsigned __int128 key() const {
      __extension__ using Wide = unsigned __int128;
      return Wide{std::bit_cast<std::uint64_t>(seconds)} << 64 | kernel;
    }
  };
  // With priorities: of ops that become ready at the same instant, the highest priority goes first.
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
  // A future change of memory, in the list of its port. Lists are in order of time.
  struct Change {
    double seconds;
    std::int64_t bytes;
    std::uint32_t next;
  };
  // A channel through which transfers enter or leave a device, with the changes of memory that wait
  // there.
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
  // Only for graphs with aliases: the instance whose memory this one uses (itself for a root), and
  // for a root the number of instances that use its memory.
  struct Sharing {
    std::uint32_t root;
    std::uint32_t holders;
  };
  struct RouteEntry {
    double latency_seconds;
    double bandwidth;
    std::uint32_t channel_begin;
    std::uint32_t channel_end;
    std::uint32_t entry;  // port at the destination; kNone when there is no route
    std::uint32_t exit;   // port at the source
  };
  struct Lane {
    Heap<Waiting> waiting;
    double free_seconds;
    double busy_seconds;
    std::int64_t level_bytes;  // may still contain bytes already released, see account()
    std::int64_t ahead_bytes;  // copies to be received that are not in the level yet
    std::int64_t peak_bytes;
    double instant;             // memory is accounted for up to this instant
    std::uint32_t entry_begin;  // ports through which transfers enter
    std::uint32_t entry_end;  // end of those; then, up to exit_end, ports through which they leave
                              // (at least one)
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
  bool outgrown_ = false;  // the program is too large for the caches, see fetch_record()

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
  std::uint64_t frozen_ = 0;  // bit per device: committed to its offer, which has left the queue

  double arrival_at_[kMaxDevices];
  std::uint32_t instance_at_[kMaxDevices];
  std::int64_t transfers_ = 0;
  std::int64_t transferred_bytes_ = 0;
  double last_end_ = 0;
};

}  // namespace berth
