#include "place/judge.h"

#include <algorithm>
#include <cassert>

#include "base/interrupt.h"
#include "place/route_islands.h"

namespace berth {
namespace {

using Clock = std::chrono::steady_clock;

// Often enough for a progress line that moves, rare enough to cost nothing.
constexpr std::chrono::milliseconds kReportInterval(50);

double seconds_between(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

std::int64_t scaled(std::int64_t bytes, double fraction) {
  // Unlimited stays unlimited; and 1.0 is exact, whatever a double makes of large sizes.
  if (bytes == kUnlimitedBytes || fraction == 1.0) return bytes;
  return static_cast<std::int64_t>(static_cast<double>(bytes) * fraction);
}

// Returns false when the plan lacks a route, which no limit mends.
bool tighten(const Problem& problem, Judge& judge, std::span<const std::int64_t> full,
             const std::function<Plan(std::span<const std::int64_t>)>& construct) {
  std::vector<std::int64_t> limits(full.size());
  for (int percent = 100; percent >= 30; percent -= 5) {
    for (std::size_t device = 0; device < full.size(); ++device) {
      limits[device] = scaled(full[device], percent / 100.0);
    }
    const Outcome& outcome = judge.consider(construct(limits));
    if (!outcome.routable) return false;
    if (outcome.feasible || judge.exhausted()) break;
    // Fifteen runs on a graph of a million ops are worth a look at whether any can succeed.
    if (percent == 100 && prove_infeasible(problem).missing_bytes > 0) break;
  }
  return true;
}

}  // namespace

bool better(const Outcome& left, const Outcome& right) {
  if (left.routable != right.routable) return left.routable;
  if (left.feasible != right.feasible) return left.feasible;
  if (!left.feasible && left.over_bytes != right.over_bytes) {
    return left.over_bytes < right.over_bytes;
  }
  return left.step_seconds < right.step_seconds;
}

Judge::Judge(const Problem& problem, const Request& request)
    : request_(request),
      simulator_(problem),
      begin_(Clock::now()),
      last_report_(begin_ - kReportInterval) {
  if (request.start != nullptr) consider(*request.start);
}

double Judge::elapsed_seconds() const { return seconds_between(begin_, Clock::now()); }

const Outcome& Judge::consider(const Plan& plan) {
  const Outcome& outcome = simulator_.evaluate(plan);
  evaluations_ += 1;
  if (!has_best_ || better(outcome, best_outcome_)) {
    has_best_ = true;
    best_plan_ = plan;
    best_outcome_ = outcome;
  }
  if (request_.progress) report();
  return outcome;
}

bool Judge::exhausted() {
  if (!has_best_) return false;
  if (Interrupt::requested()) interrupted_ = true;
  if (interrupted_ || evaluations_ >= request_.budget.evaluations) return true;
  // An unlimited budget is the common case of heuristics; it needs no clock.
  if (request_.budget.seconds == std::numeric_limits<double>::infinity()) return false;
  return elapsed_seconds() >= request_.budget.seconds;
}

void Judge::report() {
  const Clock::time_point now = Clock::now();
  if (now - last_report_ < kReportInterval) return;
  last_report_ = now;
  SearchProgress progress;
  progress.evaluations = evaluations_;
  progress.seconds = seconds_between(begin_, now);
  // An infinite part of the budget contributes 0.
  progress.fraction_done = std::min(1.0, std::max(evaluations_ / request_.budget.evaluations,
                                                  progress.seconds / request_.budget.seconds));
  progress.best_step_seconds = best_outcome_.step_seconds;
  progress.best_feasible = best_outcome_.routable && best_outcome_.feasible;
  request_.progress(progress);
}

Placed Judge::finish(std::string remark) const {
  assert(has_best_);
  return {best_plan_, best_outcome_, evaluations_, interrupted_, std::move(remark)};
}

std::vector<std::int64_t> memory_limits(const Problem& problem, double fraction) {
  std::vector<std::int64_t> limits(problem.device_count());
  for (std::size_t device = 0; device < limits.size(); ++device) {
    limits[device] = scaled(problem.usable_bytes(DeviceId(device)), fraction);
  }
  return limits;
}

void construct_within_memory(const Problem& problem, Judge& judge,
                             const std::function<Plan(std::span<const std::int64_t>)>& construct) {
  const std::vector<std::int64_t> full = memory_limits(problem, 1.0);
  if (tighten(problem, judge, full, construct) || judge.exhausted()) return;
  const auto islands = route_islands(problem.cluster());
  if (islands.size() == 1 && islands.front().size() == problem.device_count()) return;
  for (const std::vector<DeviceId>& island : islands) {
    std::vector<std::int64_t> limits(full.size(), 0);
    for (const DeviceId device : island) limits[device.index()] = full[device.index()];
    tighten(problem, judge, limits, construct);
    if (judge.exhausted()) return;
  }
}

}  // namespace berth
