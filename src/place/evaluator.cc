#include "place/evaluator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <optional>
#include <stdexcept>

#include "place/repair/route_islands.h"
#include "place/repair/route_repair.h"

namespace berth::place {
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

using Construct = std::function<Plan(std::span<const std::int64_t>)>;

// Constructs one plan after the other, each repaired where it lacks a route, until one fits.
class Tightening {
 public:
  Tightening(const Problem& problem, Evaluator& evaluator, const Construct& construct)
      : problem_(problem), evaluator_(evaluator), construct_(construct) {
    if (!fully_routed(problem.cluster())) groups_.emplace(problem);
  }

  // Returns false when a route is still lacking, which no limit repairs.
  bool run(std::span<const std::int64_t> full) {
    std::vector<std::int64_t> limits(full.size());
    for (int percent = 100; percent >= 30; percent -= 5) {
      for (std::size_t device = 0; device < full.size(); ++device) {
        limits[device] = scaled(full[device], percent / 100.0);
      }
      Plan plan = construct_(limits);
      if (groups_) repair(plan);
      const Outcome& outcome = evaluator_.consider(plan);
      if (!outcome.routable) return false;
      if (outcome.feasible || evaluator_.exhausted()) break;
      // Up to fifteen runs on a large graph take long, so it is worth checking first whether any
      // can succeed.
      if (percent == 100 && bounds::prove_infeasible(problem_).missing_bytes > 0) break;
    }
    return true;
  }

 private:
  void repair(Plan& plan) const {
    GroupDevices devices = devices_of_groups(problem_, plan);
    if (!repair_routes(problem_, *groups_, devices)) return;
    plan.placement = plan_of(problem_, devices).placement;
  }

  const Problem& problem_;
  Evaluator& evaluator_;
  const Construct& construct_;
  std::optional<GroupGraph> groups_;  // where some route is missing
};

}  // namespace

bool better(const Outcome& left, const Outcome& right) {
  if (left.routable != right.routable) return left.routable;
  if (left.feasible != right.feasible) return left.feasible;
  if (!left.feasible && left.over_bytes != right.over_bytes) {
    return left.over_bytes < right.over_bytes;
  }
  return left.step_seconds < right.step_seconds;
}

Evaluator::Evaluator(const Problem& problem, const Request& request)
    : problem_(problem),
      request_(request),
      begin_(Clock::now()),
      simulator_(problem),
      last_report_(begin_ - kReportInterval) {
  if (request.start != nullptr) consider(*request.start);
}

double Evaluator::elapsed_seconds() const { return seconds_between(begin_, Clock::now()); }

const Outcome& Evaluator::consider(const Plan& plan) {
  const Outcome& outcome = simulator_.evaluate(plan);
  adopt(plan, outcome, 1);
  return outcome;
}

void Evaluator::adopt(const Plan& plan, const Outcome& outcome, double evaluations) {
  evaluations_ += evaluations;
  if (!has_best_ || better(outcome, best_outcome_)) {
    has_best_ = true;
    best_plan_ = plan;
    best_outcome_ = outcome;
  }
  if (request_.progress) report();
}

double Evaluator::fraction_spent() const {
  // An infinite part of the budget contributes 0.
  // Whichever part of the budget is spent first ends the search.
  return std::min(1.0, std::max(evaluations_ / request_.budget.evaluations,
                                elapsed_seconds() / request_.budget.seconds));
}

void Evaluator::spend(double evaluations) {
  evaluations_ += evaluations;
  if (request_.progress) report();
}

bool Evaluator::is_enough(const Outcome& outcome) const {
  if (bound_seconds_ < 0 || !outcome.routable || !outcome.feasible) return false;
  return outcome.step_seconds <= bound_seconds_ * (1 + request_.gap);
}

bool Evaluator::exhausted() {
  if (!has_best_) return false;
  if (gap_reached()) return true;
  if (request_.stop.requested()) interrupted_ = true;
  if (interrupted_ || evaluations_ >= request_.budget.evaluations) return true;
  // An unlimited budget is the common case of heuristics; it needs no clock.
  if (request_.budget.seconds == std::numeric_limits<double>::infinity()) return false;
  return elapsed_seconds() >= request_.budget.seconds;
}

void Evaluator::report() {
  const Clock::time_point now = Clock::now();
  if (now - last_report_ < kReportInterval) return;
  last_report_ = now;
  SearchProgress progress;
  progress.evaluations = evaluations_;
  progress.seconds = seconds_between(begin_, now);
  progress.fraction_done = fraction_spent();
  progress.best_step_seconds = best_outcome_.step_seconds;
  progress.best_feasible = best_outcome_.routable && best_outcome_.feasible;
  request_.progress(progress);
}

void Evaluator::verify_best() {
  assert(has_best_);
  const std::vector<std::string> wrong = violations(problem_, best_plan_, 1);
  // A missing route is a possible outcome; any other violation is a bug.
  if (best_outcome_.routable && !wrong.empty()) {
    throw std::logic_error(
        fmt::format("the search has found a plan that is not valid: {}", wrong[0]));
  }
  const Outcome& again = simulator_.evaluate(best_plan_);
  if (again == best_outcome_) return;
  throw std::logic_error(fmt::format("a plan was reported with a step of {} s and takes {} s",
                                     best_outcome_.step_seconds, again.step_seconds));
}

Placed Evaluator::finish(std::string remark) const {
  assert(has_best_);
  return {.plan = best_plan_,
          .outcome = best_outcome_,
          .evaluations = evaluations_,
          .interrupted = interrupted_,
          .gap_reached = gap_reached(),
          .remark = std::move(remark)};
}

std::vector<std::int64_t> memory_limits(const Problem& problem, double fraction) {
  std::vector<std::int64_t> limits(problem.device_count());
  for (std::size_t device = 0; device < limits.size(); ++device) {
    limits[device] = scaled(problem.usable_bytes(DeviceId(device)), fraction);
  }
  return limits;
}

std::vector<DeviceId> devices_of_groups(const Problem& problem, const Plan& plan) {
  std::vector<DeviceId> devices(problem.group_count());
  for (std::size_t group = 0; group < devices.size(); ++group) {
    devices[group] = plan.placement[problem.members(GroupId(group)).front().index()];
  }
  return devices;
}

void construct_within_memory(const Problem& problem, Evaluator& evaluator,
                             const std::function<Plan(std::span<const std::int64_t>)>& construct) {
  const std::vector<std::int64_t> full = memory_limits(problem, 1.0);
  Tightening tightening(problem, evaluator, construct);
  if (tightening.run(full) || evaluator.exhausted()) return;
  for (const std::vector<DeviceId>& island : route_islands(problem.cluster())) {
    std::vector<std::int64_t> limits(full.size(), 0);
    for (const DeviceId device : island) limits[device.index()] = full[device.index()];
    tightening.run(limits);
    if (evaluator.exhausted()) return;
  }
}

}  // namespace berth::place
