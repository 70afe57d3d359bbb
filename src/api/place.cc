#include "berth/place.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "api/call.h"
#include "api/errors.h"
#include "api/impl.h"
#include "base/error.h"
#include "place/evaluator.h"
#include "place/placer.h"

namespace berth::v1 {
namespace {

berth::Budget inside(const Budget& budget) {
  if (!(budget.seconds > 0) || !(budget.evaluations > 0)) {
    throw InputError(fmt::format("the budget is {} seconds and {} evaluations; both are above 0",
                                 budget.seconds, budget.evaluations),
                     {.code = berth::ErrorCode::bad_option, .subject = "budget"});
  }
  return {.seconds = budget.seconds, .evaluations = budget.evaluations};
}

double gap_inside(double gap) {
  constexpr double kLargest = 100;
  if (gap >= 0 && gap <= kLargest) return std::max(gap, berth::place::kNoGap);
  throw InputError(
      fmt::format("the gap is {}; it is a fraction of the lower bound from 0 to {}, as in 0.01",
                  gap, kLargest),
      {.code = berth::ErrorCode::bad_option, .subject = "gap"});
}

std::function<void(const berth::place::SearchProgress&)> progress_inside(
    const std::function<void(const Progress&)>& callback) {
  if (!callback) return {};
  return [callback](const berth::place::SearchProgress& at) {
    run_callback([&] {
      callback({.evaluations = at.evaluations,
                .seconds = at.seconds,
                .fraction_done = at.fraction_done,
                .best_step_seconds = at.best_step_seconds,
                .best_feasible = at.best_feasible});
    });
  };
}

// With what the plan decides.
berth::Tasks widened(berth::Tasks tasks, const berth::Plan& plan) {
  return {.schedule = tasks.schedule || !plan.priority.empty(),
          .fusion = tasks.fusion || !plan.fused.empty()};
}

bounds::Bound best_bound(const Problem::Impl& problem, berth::Tasks asked,
                         const berth::place::Placed& placed) {
  if (placed.bounds) problem.know_bounds(asked, *placed.bounds);
  // A placer of the caller's may decide more than it was asked to, and the bound must hold for it.
  const berth::Tasks tasks = widened(asked, placed.plan);
  bounds::Bound best = problem.bounds(tasks).best;
  if (tasks != asked || placed.bound_seconds <= best.seconds) return best;
  return {placed.bound_seconds, "search", "the search proved that no plan is shorter", tasks};
}

Placed run(const Problem& problem, const Request& request) {
  const berth::Problem& inner = *problem.impl().problem;
  const berth::place::Method method = berth::place::parse_method(request.method);
  berth::place::Request asked{.budget = inside(request.budget),
                              .seed = request.seed,
                              .tasks = inside(request.tasks),
                              .gap = gap_inside(request.gap),
                              .progress = progress_inside(request.progress),
                              .stop = berth::StopToken(request.stop.flag()),
                              .context = std::make_shared<const Call>(Call{problem, request})};
  std::optional<berth::Plan> start;
  if (request.start) {
    start = valid_inside(inner, *request.start, "the start plan");
    asked.start = &*start;
    // The bound must hold for what the start plan does, since the result may be that plan.
    asked.tasks = widened(asked.tasks, *start);
  }
  const berth::Model& model = problem.impl().graph.impl().model;
  const std::optional<berth::Plan> expert = model.expert ? model.expert(inner) : std::nullopt;
  if (expert) asked.expert = &*expert;

  const auto begin = std::chrono::steady_clock::now();
  const berth::place::Placed found = method.place(inner, asked);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  return {.plan = outside(found.plan),
          .outcome = outside(found.outcome),
          .evaluations = found.evaluations,
          .seconds = elapsed.count(),
          .interrupted = found.interrupted,
          .gap_reached = found.gap_reached,
          .bound = outside(best_bound(problem.impl(), asked.tasks, found)),
          .remark = found.remark,
          .method = method.options.canonical(),
          .seed = request.seed,
          .budget = request.budget};
}

}  // namespace

Placed place(const Problem& problem, const Request& request) {
  return guarded(request.method, [&] { return run(problem, request); });
}

bool better(const Outcome& left, const Outcome& right) {
  const auto inside = [](const Outcome& outcome) {
    berth::Outcome result;
    result.step_seconds = outcome.step_seconds;
    result.feasible = outcome.feasible;
    result.routable = outcome.routable;
    result.over_bytes = outcome.over_bytes;
    return result;
  };
  return berth::place::better(inside(left), inside(right));
}

}  // namespace berth::v1
