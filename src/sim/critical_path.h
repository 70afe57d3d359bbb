// Why the step takes as long as it does: a path of events from time zero to the end of the last
// op in which each begins the moment the one before it ends.
//
// Walked backwards. The last op ran (compute) once its device took it (waiting for the device)
// after its last input arrived; that input travelled (transfer) once its channels were free
// (waiting for a channel) after its producer ended; and so on. The pieces touch, so they add up to
// the step time. Where several causes fall on one instant the walk takes a transfer before a local
// op, then the lowest op index. O(ops + edges along the path).
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
  OpId op;          // that runs or waits; of a transfer, the producer
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

// What an op was ready by: the last of its inputs to be there, found as on the walk. Positions in
// the timeline; a source has neither, an op whose last input was made on its device no transfer.
struct ReadyCause {
  static constexpr std::uint32_t kNone = 0xffffffffu;
  std::uint32_t run = kNone;       // that made the input or had to end first
  std::uint32_t transfer = kNone;  // that brought it
  bool operator==(const ReadyCause&) const = default;
};
// One an entry of Timeline::ops. O(ops + edges).
std::vector<ReadyCause> find_ready_causes(const Problem& problem, const Plan& plan,
                                          const Timeline& timeline);

}  // namespace berth
