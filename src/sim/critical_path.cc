#include "sim/critical_path.h"

#include <algorithm>
#include <unordered_map>

namespace berth {
namespace {

constexpr std::uint32_t kNoRun = 0xffffffffu;

// What made an op ready: a transfer that arrived, an op that ended, or nothing (a source).
struct Cause {
  double seconds = 0;
  const Timeline::Transfer* transfer = nullptr;
  std::uint32_t run = kNoRun;
};

class Walk {
 public:
  Walk(const Problem& problem, const Plan& plan, const Timeline& timeline)
      : graph_(problem.graph()),
        plan_(plan),
        timeline_(timeline),
        run_of_(problem.op_count(), kNoRun) {
    for (std::uint32_t run = 0; run < timeline.ops.size(); ++run) {
      for_each_member(timeline.ops[run], [&](OpId op) { run_of_[op.index()] = run; });
    }
    for (const Timeline::Transfer& transfer : timeline.transfers) {
      // A tensor is sent to a device at most once, so the pair is a unique key.
      arrivals_[key(transfer.tensor, transfer.to)] = &transfer;
    }
  }

  CriticalPath go() {
    std::uint32_t run = last_run();
    while (run != kNoRun) {
      const Timeline::OpRun& at = timeline_.ops[run];
      add({CriticalStep::Kind::compute,
           at.start_seconds,
           at.end_seconds,
           at.op,
           {},
           at.device,
           {}});
      // Device wait is whatever lies between the op's last input and its start. Its end touches the
      // compute step and its begin touches the cause, so no gap is left.
      const Cause cause = why_ready(at);
      add({CriticalStep::Kind::device_wait,
           cause.seconds,
           at.start_seconds,
           at.op,
           {},
           at.device,
           {}});
      if (cause.transfer) add_transfer(*cause.transfer);
      run = cause.run;
    }
    std::reverse(path_.steps.begin(), path_.steps.end());
    return std::move(path_);
  }

  std::vector<ReadyCause> causes() const {
    std::vector<ReadyCause> causes;
    causes.reserve(timeline_.ops.size());
    for (const Timeline::OpRun& run : timeline_.ops) {
      const Cause cause = why_ready(run);
      ReadyCause& found = causes.emplace_back();
      found.run = cause.run;
      if (cause.transfer) {
        found.transfer = static_cast<std::uint32_t>(cause.transfer - timeline_.transfers.data());
      }
    }
    return causes;
  }

 private:
  static std::uint64_t key(TensorId tensor, DeviceId device) {
    return static_cast<std::uint64_t>(tensor.index()) << 16 | device.index();
  }

  template <class Visit>
  void for_each_member(const Timeline::OpRun& run, const Visit& visit) const {
    // kNone is larger than any size, so one comparison covers ops outside of groups as well.
    if (run.fused_group >= plan_.fused.size()) return visit(run.op);
    for (const OpId op : plan_.fused[run.fused_group]) visit(op);
  }

  std::uint32_t last_run() const {
    std::uint32_t last = kNoRun;
    for (std::uint32_t run = 0; run < timeline_.ops.size(); ++run) {
      // Strictly later: of several ops that end last, the one that started first is explained.
      if (last == kNoRun || timeline_.ops[run].end_seconds > timeline_.ops[last].end_seconds)
        last = run;
    }
    return last;
  }

  Cause why_ready(const Timeline::OpRun& run) const {
    const std::uint32_t own = run_of_[run.op.index()];
    Cause latest;
    const auto consider = [&](const Cause& cause) {
      if (cause.run == own) return;  // made inside the fused group
      const bool later = cause.seconds > latest.seconds;
      const bool tie = cause.seconds == latest.seconds;
      // At time zero everything ties with the initial value, which is no cause at all: the first
      // cause found must replace it.
      const bool preferred = latest.run == kNoRun || (cause.transfer && !latest.transfer);
      if (later || (tie && preferred)) latest = cause;
    };
    for_each_member(run, [&](OpId op) {
      for (const TensorId tensor : graph_.inputs(op)) consider(arrival(tensor, run.device));
      for (const OpId earlier : graph_.after(op)) consider(ended(run_of_[earlier.index()]));
    });
    return latest;
  }

  Cause ended(std::uint32_t run) const { return {timeline_.ops[run].end_seconds, nullptr, run}; }

  Cause arrival(TensorId tensor, DeviceId device) const {
    const std::uint32_t producer = run_of_[graph_.producer(tensor).index()];
    if (timeline_.ops[producer].device == device) return ended(producer);
    const auto found = arrivals_.find(key(tensor, device));
    // No transfer was recorded: take the producer itself.
    if (found == arrivals_.end()) return ended(producer);
    return {found->second->end_seconds, found->second, producer};
  }

  void add_transfer(const Timeline::Transfer& transfer) {
    const OpId producer = graph_.producer(transfer.tensor);
    add({CriticalStep::Kind::transfer, transfer.start_seconds, transfer.end_seconds, producer,
         transfer.tensor, transfer.to, transfer.from});
    add({CriticalStep::Kind::channel_wait, transfer.sent_seconds, transfer.start_seconds, producer,
         transfer.tensor, transfer.to, transfer.from});
  }

  void add(const CriticalStep& step) {
    // Waits and transfers of no length explain nothing, but the ops of the path are all listed.
    if (step.seconds() > 0 || step.kind == CriticalStep::Kind::compute) path_.steps.push_back(step);
  }

  const Graph& graph_;
  const Plan& plan_;
  const Timeline& timeline_;
  std::vector<std::uint32_t> run_of_;
  std::unordered_map<std::uint64_t, const Timeline::Transfer*> arrivals_;
  CriticalPath path_;
};

}  // namespace

double CriticalPath::seconds(CriticalStep::Kind kind) const {
  double sum = 0;
  for (const CriticalStep& step : steps) {
    if (step.kind == kind) sum += step.seconds();
  }
  return sum;
}

std::string_view critical_kind_name(CriticalStep::Kind kind) {
  switch (kind) {
    case CriticalStep::Kind::compute:
      return "compute";
    case CriticalStep::Kind::transfer:
      return "transfer";
    case CriticalStep::Kind::channel_wait:
      return "waiting for a channel";
    case CriticalStep::Kind::device_wait:
      return "waiting for the device";
  }
  return "";
}

CriticalPath find_critical_path(const Problem& problem, const Plan& plan,
                                const Timeline& timeline) {
  return Walk(problem, plan, timeline).go();
}

std::vector<ReadyCause> find_ready_causes(const Problem& problem, const Plan& plan,
                                          const Timeline& timeline) {
  return Walk(problem, plan, timeline).causes();
}

}  // namespace berth
