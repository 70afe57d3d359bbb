// Explains the step time: a path of events from time zero to the end of the last op, where each
// event begins at the instant the one before it ends.
//
// The path is found backwards from the last op. An op ran (compute) after it waited for its device
// (device wait) after its last input arrived. That input was sent (transfer) after it waited for
// its channels (channel wait) after its producer ended; and so on back to a source. The steps leave
// no gap, so they add up to the step time. Where several inputs arrive at the same instant, a
// transfer is preferred to a local op, then the first one found in the order of members and inputs.
// O(ops + transfers) to set up, then O(edges of the ops on the path).
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "plan/plan.h"
#include "sim/timeline.h"

namespace berth {

struct CriticalStep {
  enum class Kind : std::uint8_t { compute, transfer, channel_wait, device_wait };
  Kind kind = Kind::compute;
  double begin_seconds = 0;
  double end_seconds = 0;
  OpId op;          // the op that runs or waits; of a transfer, the producer
  TensorId tensor;  // of a transfer and of waiting for a channel
  DeviceId device;  // where the op runs; where the tensor goes
  DeviceId from;    // where the tensor comes from
  double seconds() const { return end_seconds - begin_seconds; }
};

struct CriticalPath {
  std::vector<CriticalStep> steps;  // ascending in time; steps of no length only where an op ran

  // Seconds of the path spent on one kind.
  double seconds(CriticalStep::Kind kind) const;
};

inline constexpr std::array kCriticalKinds = {
    CriticalStep::Kind::compute, CriticalStep::Kind::transfer, CriticalStep::Kind::channel_wait,
    CriticalStep::Kind::device_wait};
// "compute", "transfer", "waiting for a channel", "waiting for the device".
std::string_view critical_kind_name(CriticalStep::Kind kind);

CriticalPath find_critical_path(const Problem& problem, const Plan& plan, const Timeline& timeline);

// Which of its inputs an op waited for longest, by the same rule as on the path. Values are
// positions in the timeline. A source has neither; an op whose last input was made on its own
// device has no transfer.
struct ReadyCause {
  static constexpr std::uint32_t kNone = 0xffffffffu;
  std::uint32_t run = kNone;       // the run that made the input or had to end first
  std::uint32_t transfer = kNone;  // the transfer that brought it
  bool operator==(const ReadyCause&) const = default;
};
// One entry per entry of Timeline::ops. O(ops + edges).
std::vector<ReadyCause> find_ready_causes(const Problem& problem, const Plan& plan,
                                          const Timeline& timeline);

}  // namespace berth
