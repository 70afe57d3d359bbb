#include "sim/timeline_recorder.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace berth {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

}  // namespace

void TimelineRecorder::op(std::uint32_t kernel, double start, double end, double ready) {
  timeline_.ops.push_back({.op = program_.kernel_ops[kernel],
                           .device = DeviceId(assignment_.device[kernel]),
                           .start_seconds = start,
                           .end_seconds = end,
                           .ready_seconds = ready,
                           .fused_group = program_.kernel_fused.empty()
                                              ? Program::kNone
                                              : program_.kernel_fused[kernel]});
}

void TimelineRecorder::transfer(std::uint32_t tensor, std::size_t from, std::size_t to, double sent,
                                double start, double end) {
  timeline_.transfers.push_back({.tensor = program_.tensor_ids[tensor],
                                 .from = DeviceId(from),
                                 .to = DeviceId(to),
                                 .sent_seconds = sent,
                                 .start_seconds = start,
                                 .end_seconds = end});
}

void TimelineRecorder::memory(bool is_copy, std::uint32_t tensor, std::uint32_t kernel,
                              std::size_t device, double from, double until, std::int64_t bytes) {
  // What is allocated and released at the same instant never counts (docs/execution.md).
  if (bytes == 0 || from >= until) return;
  if (held_.size() <= device) held_.resize(device + 1);
  Timeline::Alive alive;
  alive.bytes = bytes;
  if (tensor == Program::kNone) {
    alive.what = Timeline::Alive::What::workspace;
    alive.op = program_.kernel_ops[kernel];
  } else {
    alive.what = is_copy ? Timeline::Alive::What::copy : Timeline::Alive::What::output;
    alive.tensor = program_.tensor_ids[tensor];
  }
  held_[device].push_back({alive, from, until});
}

Timeline TimelineRecorder::finish(const Problem& problem, const Outcome& outcome) {
  timeline_.outcome = outcome;
  if (!outcome.routable) return std::move(timeline_);
  std::vector<std::int64_t> params(problem.device_count(), 0);
  for (std::uint32_t kernel = 0; kernel < program_.kernels; ++kernel) {
    params[assignment_.device[kernel]] += program_.param_bytes[kernel];
  }
  held_.resize(problem.device_count());
  for (std::size_t d = 0; d < problem.device_count(); ++d) {
    for (Timeline::Held& held : held_[d]) {
      // A workspace has its op already; a tensor is shown with its producer.
      if (held.what.tensor.valid()) held.what.op = problem.graph().producer(held.what.tensor);
    }
    timeline_.memory.push_back(
        account(std::move(held_[d]), params[d], problem.usable_bytes(DeviceId(d))));
  }
  return std::move(timeline_);
}

Timeline::DeviceMemory TimelineRecorder::account(std::vector<Timeline::Held> held,
                                                 std::int64_t params, std::int64_t usable) const {
  // Recomputed from the intervals instead of asked of the engine: besides the peak, the report
  // needs its first instant, what was alive then, and the level at all times.
  std::vector<Timeline::Level> changes = {{0, params}};
  for (const Timeline::Held& each : held) {
    changes.push_back({each.from_seconds, each.what.bytes});
    if (each.until_seconds < kNever) changes.push_back({each.until_seconds, -each.what.bytes});
  }
  std::sort(changes.begin(), changes.end(),
            [](const auto& left, const auto& right) { return left.seconds < right.seconds; });

  Timeline::DeviceMemory memory;
  memory.param_bytes = params;
  std::int64_t level = 0;
  for (std::size_t i = 0; i < changes.size();) {
    const double instant = changes[i].seconds;
    // All changes of an instant are added before the level counts, in any order.
    for (; i < changes.size() && changes[i].seconds == instant; ++i) level += changes[i].bytes;
    if (memory.levels.empty() || memory.levels.back().bytes != level) {
      memory.levels.push_back({instant, level});
    }
    // Strictly above: the first instant of the peak is reported.
    if (level > memory.peak_bytes) {
      memory.peak_bytes = level;
      memory.peak_seconds = instant;
    }
  }
  memory.over_bytes = std::max<std::int64_t>(0, memory.peak_bytes - usable);
  for (const Timeline::Held& each : held) {
    const double peak = memory.peak_seconds;
    if (each.from_seconds > peak || each.until_seconds <= peak) continue;
    memory.alive.push_back(each.what);
    (each.what.what == Timeline::Alive::What::copy ? memory.peak_copy_bytes
                                                   : memory.peak_output_bytes) += each.what.bytes;
  }
  // Largest first. Ties are broken completely, so that reports do not depend on the sort.
  std::sort(memory.alive.begin(), memory.alive.end(), [](const auto& left, const auto& right) {
    if (left.bytes != right.bytes) return left.bytes > right.bytes;
    if (left.op != right.op) return left.op < right.op;
    return left.tensor < right.tensor;
  });
  std::sort(held.begin(), held.end(), [](const auto& left, const auto& right) {
    return std::tie(left.from_seconds, left.what.op, left.what.tensor) <
           std::tie(right.from_seconds, right.what.op, right.what.tensor);
  });
  memory.held = std::move(held);
  return memory;
}

}  // namespace berth
