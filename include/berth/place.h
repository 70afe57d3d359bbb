// Finds a plan, by any method of Berth or by your own placer.
//
//   const berth::Placed placed = berth::place(problem, {.budget = {.evaluations = 2000}});
//
// The same problem, method, seed and budget in evaluations give the same plan, whatever the number
// of threads and the speed of the machine. A budget in seconds does not.
//
// Searches share nothing, so a program may run several at once. Each can be stopped by its own
// token; it then returns the best plan so far.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "berth/export.h"
#include "berth/plan.h"
#include "berth/problem.h"

namespace berth::v1 {

class StopToken {
 public:
  StopToken() = default;  // never requests a stop
  explicit StopToken(std::shared_ptr<const std::atomic<bool>> flag) : flag_(std::move(flag)) {}
  bool requested() const { return flag_ && flag_->load(std::memory_order_relaxed); }
  const std::shared_ptr<const std::atomic<bool>>& flag() const { return flag_; }

 private:
  std::shared_ptr<const std::atomic<bool>> flag_;
};

// Keep it, and put its token into the request. request_stop() may be called from any thread.
class StopSource {
 public:
  StopToken token() const { return StopToken(flag_); }
  void request_stop() { flag_->store(true, std::memory_order_relaxed); }

 private:
  std::shared_ptr<std::atomic<bool>> flag_ = std::make_shared<std::atomic<bool>>(false);
};

// What a search may spend; it ends when the first of the two is spent. One evaluation is one
// simulation of the whole graph.
struct Budget {
  double seconds = std::numeric_limits<double>::infinity();
  double evaluations = std::numeric_limits<double>::infinity();
};

struct Progress {
  double evaluations = 0;
  double seconds = 0;
  double fraction_done = 0;  // of the budget
  double best_step_seconds = 0;
  bool best_feasible = false;
};

struct Request {
  std::string method = "auto";  // with options: "random(tries=100)", "random:tries=100"
  Budget budget = {.seconds = 10};
  std::uint64_t seed = 0;
  Tasks tasks = {};
  double gap = 0;                  // a plan this close to a lower bound ends the search: 0.01 is 1%
  std::optional<Plan> start = {};  // a plan to start from; the result is never worse
  // Called a few times per second, by one thread at a time, which may not be the caller's.
  std::function<void(const Progress&)> progress = {};
  StopToken stop = {};
};

struct Placed {
  Plan plan = {};
  Outcome outcome = {};
  double evaluations = 0;
  double seconds = 0;        // that the search took
  bool interrupted = false;  // by the stop token
  bool gap_reached = false;  // ended because the plan is within the gap of a lower bound
  Bound bound = {};          // the best one known, that of the search included
  std::string remark = {};   // one sentence for the user, or empty
  // How the plan was made.
  std::string method = {};  // in canonical form
  std::uint64_t seed = 0;
  Budget budget = {};
};

// The plan is complete and valid. Whether it fits is in the outcome.
BERTH_API Placed place(const Problem& problem, const Request& request = {});
// What the program `berth place` records in the plan file.
BERTH_API PlanRecord plan_record(const Problem& problem, const Placed& placed);
// The same file as `berth place --output` writes.
BERTH_API void write_plan(const std::string& path, const Problem& problem, const Placed& placed);
// Whether `left` is the better of two outcomes. Compared in this order: all routes exist, it fits,
// fewer bytes over memory, shorter step.
BERTH_API bool better(const Outcome& left, const Outcome& right);

// Your own placer. Berth checks and simulates the plan that it returns.
struct Placer {
  std::string name;     // letters, digits and _ + . -
  std::string summary;  // one line
  // Called by the thread that called place(). A placer that takes long must check request.stop
  // and request.budget itself, and calls request.progress if there is one.
  std::function<Plan(const Problem&, const Request&)> place;
  bool searches = false;  // it spends the budget
};
// After this the name works in place(), and methods() lists it, until the process ends. Throws
// Error for a name that is taken.
BERTH_API void register_placer(const Placer& placer);

}  // namespace berth::v1
