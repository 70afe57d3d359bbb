#include "report/analysis.h"

#include <algorithm>
#include <limits>

#include "sim/simulator.h"

namespace berth::report {

DeviceId fullest_device(const Problem& problem, const Outcome& outcome) {
  DeviceId fullest(0);
  std::int64_t most_over = -1;
  double most_full = -1;
  for (std::size_t d = 0; d < outcome.peak_bytes.size(); ++d) {
    const std::int64_t usable = problem.usable_bytes(DeviceId(d));
    const std::int64_t over = std::max<std::int64_t>(0, outcome.peak_bytes[d] - usable);
    const double full = memory_fraction(outcome.peak_bytes[d], usable);
    if (over < most_over || (over == most_over && full <= most_full)) continue;
    fullest = DeviceId(d);
    most_over = over;
    most_full = full;
  }
  return fullest;
}

DeviceId Analysis::busiest_device() const {
  DeviceId busiest(0);
  const std::vector<double>& busy = outcome().busy_seconds;
  for (std::size_t d = 1; d < busy.size(); ++d) {
    if (busy[d] > busy[busiest.index()]) busiest = DeviceId(d);
  }
  return busiest;
}

Analysis analyse(const Problem& problem, const Plan& plan, const bounds::Bounds& bounds) {
  Analysis analysis;
  analysis.problem = &problem;
  analysis.plan = &plan;
  analysis.timeline = Simulator(problem).trace(plan);
  analysis.bound = bounds.best;
  analysis.critical_path = find_critical_path(problem, plan, analysis.timeline);
  analysis.channels = channel_usage(problem, analysis.timeline);
  if (!analysis.outcome().feasible) analysis.infeasibility = bounds::prove_infeasible(problem);
  return analysis;
}

double gap_to(double step_seconds, double bound_seconds) {
  if (bound_seconds <= 0) {
    return step_seconds > 0 ? std::numeric_limits<double>::infinity() : 0;
  }
  return step_seconds / bound_seconds - 1;
}

double memory_fraction(std::int64_t peak_bytes, std::int64_t usable_bytes) {
  if (usable_bytes == kUnlimitedBytes || peak_bytes == 0) return 0;
  if (usable_bytes <= 0) return std::numeric_limits<double>::infinity();
  return static_cast<double>(peak_bytes) / static_cast<double>(usable_bytes);
}

}  // namespace berth::report
