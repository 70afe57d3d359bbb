// Everything that happened in one step: when every op ran, which tensor was sent when, and how much
// memory every device held at every instant.
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "sim/outcome.h"

namespace berth {

struct Timeline {
  struct OpRun {
    OpId op;  // of a fused group, the lowest member
    DeviceId device;
    double start_seconds = 0;
    double end_seconds = 0;
    double ready_seconds = 0;
    std::uint32_t fused_group = 0xffffffffu;  // position in Plan::fused, or none
    bool operator==(const OpRun&) const = default;
  };
  struct Transfer {
    TensorId tensor;
    DeviceId from, to;
    double sent_seconds = 0;   // when the producer ended and the transfer was reserved
    double start_seconds = 0;  // when all its channels were free
    double end_seconds = 0;
    bool operator==(const Transfer&) const = default;
  };
  // The bytes that a device holds from this instant on, until the next entry.
  struct Level {
    double seconds = 0;
    std::int64_t bytes = 0;
    bool operator==(const Level&) const = default;
  };
  // A piece of memory alive at the peak of a device.
  struct Alive {
    enum class What : std::uint8_t { output, copy, workspace };
    What what = What::output;
    TensorId tensor;  // of an output or a copy
    OpId op;          // the producer; for a workspace the op that runs
    std::int64_t bytes = 0;
    bool operator==(const Alive&) const = default;
  };
  // A piece of memory and the interval in which a device holds it: from the first instant up to,
  // but not including, the last. The last is infinite for what is kept.
  struct Held {
    Alive what;
    double from_seconds = 0;
    double until_seconds = 0;
    bool operator==(const Held&) const = default;
  };
  struct DeviceMemory {
    std::int64_t param_bytes = 0;
    std::int64_t peak_bytes = 0;
    double peak_seconds = 0;             // first instant of the peak
    std::int64_t peak_output_bytes = 0;  // of the peak: tensors made here (and workspace)
    std::int64_t peak_copy_bytes = 0;    // of the peak: copies received
    std::int64_t over_bytes = 0;         // above what the device may use, 0 when it fits
    std::vector<Alive> alive;            // at the peak, largest first
    std::vector<Level> levels;  // ascending in time; one entry per instant that changed the level
    std::vector<Held> held;     // beside the parameters; ascending in from, then op
    bool operator==(const DeviceMemory&) const = default;
  };

  Outcome outcome;
  std::vector<OpRun> ops;            // in order of start, then device
  std::vector<Transfer> transfers;   // in order of sending
  std::vector<DeviceMemory> memory;  // by device
};

}  // namespace berth
