// The simulator as placers use it: it counts evaluations, keeps the best plan seen, checks the
// budget, Ctrl-C and the gap to a lower bound, and reports progress.
//
// Better means: routable before not routable; then feasible before infeasible; then, of two
// feasible plans, the shorter step; of two infeasible ones, fewer bytes over, then the shorter
// step. At a tie the plan seen first is kept, so results depend only on the order of candidates.
// Plans may be considered and adopted by one thread at a time only.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <span>

#include "place/placer.h"
#include "sim/simulator.h"

namespace berth::place {

bool better(const Outcome& left, const Outcome& right);

class Evaluator {
 public:
  // The start plan of the request, if any, is considered first.
  Evaluator(const Problem& problem, const Request& request);

  // Simulates the plan and keeps it if it is the best so far. The result is valid until the next
  // call.
  const Outcome& consider(const Plan& plan);
  // Takes over what another simulator found (on another thread, by another placer) and what it
  // cost.
  void adopt(const Plan& plan, const Outcome& outcome, double evaluations);
  // Counts work that is not a simulation but costs as much as this many.
  void spend(double evaluations);
  // A lower bound: no plan is shorter. From now on a plan within the request's gap of it is enough.
  void know_bound(double seconds) { bound_seconds_ = std::max(bound_seconds_, seconds); }
  bool is_enough(const Outcome& outcome) const;
  bool gap_reached() const { return has_best_ && is_enough(best_outcome_); }
  // The budget is spent, the gap is reached or a stop was requested. Always false before the first
  // evaluation, so that every placer returns something.
  bool exhausted();

  bool has_best() const { return has_best_; }
  const Plan& best_plan() const { return best_plan_; }
  const Outcome& best_outcome() const { return best_outcome_; }
  double evaluations() const { return evaluations_; }
  double evaluations_left() const { return request_.budget.evaluations - evaluations_; }
  double seconds_left() const { return request_.budget.seconds - elapsed_seconds(); }
  double fraction_spent() const;

  // Simulates the best plan once more, uncounted. Throws std::logic_error unless the plan is valid
  // and the outcome is the reported one, which may come from another simulator.
  void verify_best();

  Placed finish(std::string remark = "") const;

 private:
  double elapsed_seconds() const;
  void report();

  const Problem& problem_;
  const Request& request_;
  std::chrono::steady_clock::time_point begin_;  // before the simulator, which takes time to make
  Simulator simulator_;
  std::chrono::steady_clock::time_point last_report_;
  double evaluations_ = 0;
  double bound_seconds_ = -1;  // none known
  bool interrupted_ = false;
  bool has_best_ = false;
  Plan best_plan_;
  Outcome best_outcome_;
};

// The device of every colocation group.
std::vector<DeviceId> devices_of_groups(const Problem& problem, const Plan& plan);

// Bytes each device may be filled with by a placer that only estimates memory: the usable bytes
// times a fraction.
std::vector<std::int64_t> memory_limits(const Problem& problem, double fraction);

// Placers only estimate memory; the simulator is exact. This runs `construct` with limits of 100%,
// 95%, ... 30% of every device's memory until a plan fits, and considers every plan made. It stops
// after the first if it can be proved that no plan fits. `construct` returns a complete plan even
// when it cannot respect the limits.
//
// A plan that lacks a route is repaired first (route_repair.h). If that fails, less memory does not
// help; then the same is done for every set of devices that all reach one another
// (route_islands.h), with a limit of 0 for the others.
void construct_within_memory(const Problem& problem, Evaluator& evaluator,
                             const std::function<Plan(std::span<const std::int64_t>)>& construct);

}  // namespace berth::place
