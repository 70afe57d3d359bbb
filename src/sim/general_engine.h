// The execution rules followed literally, event by event, for any number of devices and slots. It
// is slower than the fast engine. It is used where that one does not apply, and to record
// timelines.
//
// Events are the ends of ops, and ops that become ready at a later instant. An arrival needs no
// event of its own, since it is known when its transfer is reserved. One turn of the loop is one
// round of an instant: first its ends in order of op index, then the ops that became ready, then
// devices start ops in device order. Ops of zero length end in the next turn, at the same instant.
// O((ops + edges) log(ops + edges)).
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "cost/problem.h"
#include "sim/assignment.h"
#include "sim/heap.h"
#include "sim/outcome.h"
#include "sim/ready.h"

namespace berth {

// The memory level and peak per device. Changes are applied in order of time; future ones wait in a
// heap.
class MemoryLedger {
 public:
  void reserve(std::size_t devices, std::size_t changes);
  void begin();
  void advance(double now);
  void change(std::size_t device, double seconds, std::int64_t bytes, double now) {
    if (seconds > now) {
      pending_.push({seconds, bytes, static_cast<std::uint32_t>(device)});
    } else {
      apply(device, seconds, bytes);
    }
  }
  void finish();
  std::int64_t peak(std::size_t device) const { return levels_[device].peak; }

 private:
  struct Level {
    std::int64_t bytes = 0;
    std::int64_t peak = 0;
    double instant = 0;
  };
  struct Change {
    double seconds;
    std::int64_t bytes;
    std::uint32_t device;
    bool operator<(const Change& other) const { return seconds < other.seconds; }
  };
  // The level counts for the peak only when its instant is over: within an instant, allocations may
  // precede releases.
  void apply(std::size_t device, double seconds, std::int64_t bytes) {
    Level& level = levels_[device];
    if (seconds > level.instant) {
      level.peak = std::max(level.peak, level.bytes);
      level.instant = seconds;
    }
    level.bytes += bytes;
  }

  std::vector<Level> levels_;
  std::vector<Change> storage_;
  Heap<Change> pending_;
};

// The recorder of evaluate(): records nothing.
struct NoRecorder {
  static constexpr bool kEnabled = false;
};

class GeneralEngine {
 public:
  explicit GeneralEngine(const Problem& problem);

  // Fills the outcome. The recorder has op(kernel, start, end, ready), transfer(tensor, from, to,
  // sent, start, end) and memory(is_copy, tensor, kernel, device, from, until, bytes), the last one
  // an interval of a workspace when `tensor` is Program::kNone.
  template <class Recorder>
  void run(const Program& program, const Assignment& assignment, Outcome& outcome,
           Recorder& recorder);

 private:
  enum class Kind : std::uint8_t { end, ready };
  struct Event {
    double seconds;
    Kind kind;
    std::uint32_t kernel;
    bool operator<(const Event& other) const {
      if (seconds != other.seconds) return seconds < other.seconds;
      if (kind != other.kind) return kind < other.kind;
      return kernel < other.kernel;
    }
  };
  // A tensor on one device: the original, or a copy received.
  struct Instance {
    std::int64_t bytes;
    double from_seconds;
    double hold_until;      // end of the last transfer out
    std::uint32_t readers;  // consumers here that have not ended, and one for a kept tensor
    std::uint32_t root;     // the instance whose memory it uses; itself unless an alias
    std::uint32_t holders;  // of a root: instances that use its memory
    std::uint32_t tensor;
    std::uint16_t device;
    bool is_copy;
  };

  void prepare(const Program& program, const Assignment& assignment);
  template <class Recorder>
  bool finish_kernel(std::uint32_t kernel, double now, Recorder& recorder);
  template <class Recorder>
  bool send(std::uint32_t tensor, std::uint32_t original, double now, Recorder& recorder);
  template <class Recorder>
  void start_ready(double now, Recorder& recorder);
  template <class Recorder>
  void release(std::uint32_t instance, double now, Recorder& recorder);
  void create_originals(std::uint32_t kernel);
  std::uint32_t add_instance(std::uint32_t tensor, std::size_t device, bool is_copy,
                             std::int64_t bytes, double from);
  void satisfy(std::uint32_t kernel, double seconds, double now);
  void make_ready(std::uint32_t kernel);
  void touch(std::size_t device);

  const Problem& problem_;
  const Program* program_ = nullptr;
  const Assignment* assignment_ = nullptr;
  std::vector<std::uint32_t> waits_;
  std::vector<double> ready_seconds_, start_seconds_, busy_seconds_;
  std::vector<std::uint32_t> input_instances_;
  std::vector<Instance> instances_;
  std::vector<double> channel_free_;
  std::vector<Event> event_storage_;
  Heap<Event> events_;
  std::vector<Ready> ready_storage_;
  std::vector<Heap<Ready>> ready_;
  std::vector<std::int64_t> free_slots_;
  std::vector<std::uint32_t> touched_;
  std::vector<std::uint8_t> is_touched_;
  std::vector<std::uint32_t> destinations_;
  std::vector<std::uint32_t> instance_at_;  // by device, for the tensor being sent
  std::vector<double> arrival_at_;
  MemoryLedger ledger_;
  std::int64_t transfers_ = 0;
  std::int64_t transferred_bytes_ = 0;
  double last_end_ = 0;
};

}  // namespace berth

#include "sim/general_engine_inl.h"
