// The execution rules taken literally: any number of devices and slots, event by event. Slower than
// the fast engine, used where that one does not apply, and the one that tells the whole story to a
// recorder.
//
// Events are ends of ops and ops becoming ready at a later instant (an arrival is known when its
// transfer is reserved, so no event is needed for each). One turn of the loop is one round of an
// instant: its ends by op index, then what became ready, then devices start ops in device order.
// Ops of zero length end in the next turn, at the same instant.
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

// Levels of memory, changed in order of time. Changes of later instants wait in a heap.
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
  // What a device holds counts once its instant is over.
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

// Told of everything that happens; this one does not care.
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
    std::uint32_t root;     // the instance whose memory it uses: itself, but for an alias
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
