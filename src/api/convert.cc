#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "api/impl.h"
#include "base/error.h"

namespace berth::v1 {
namespace {

[[noreturn]] void refuse(const std::string& sentence) {
  throw InputError(sentence, {.code = berth::ErrorCode::invalid_plan});
}

void require_numbers(std::size_t given, std::size_t ops, const char* what) {
  if (given == ops) return;
  refuse(fmt::format("the plan has {} {}, and the graph has {} ops; give one per op", given, what,
                     ops));
}

std::vector<OpId> members_of(const std::vector<std::size_t>& group, std::size_t ops,
                             std::vector<std::uint8_t>& taken) {
  if (group.empty()) refuse("a fused group of the plan is empty; it needs an op");
  std::vector<OpId> members;
  for (const std::size_t op : group) {
    if (op >= ops) {
      refuse(
          fmt::format("a fused group of the plan has op {}, and the graph has {} ops, numbered "
                      "from 0",
                      op, ops));
    }
    if (taken[op]++) {
      refuse(fmt::format("op {} is fused twice; it can be in one group, once", op));
    }
    members.emplace_back(op);
  }
  std::ranges::sort(members);
  return members;
}

}  // namespace

berth::Tasks inside(Tasks tasks) { return {.schedule = tasks.schedule, .fusion = tasks.fusion}; }

berth::Plan inside(const berth::Problem& problem, const Plan& plan) {
  const std::size_t ops = problem.op_count();
  require_numbers(plan.placement.size(), ops, "placed ops");
  berth::Plan result;
  result.placement.reserve(ops);
  for (std::size_t op = 0; op < ops; ++op) {
    if (plan.placement[op] >= problem.device_count()) {
      refuse(fmt::format(
          "the plan has op {} on device {}, and the cluster has {} devices, numbered "
          "from 0",
          quoted(problem.graph().op_name(OpId(op))), plan.placement[op], problem.device_count()));
    }
    result.placement.emplace_back(plan.placement[op]);
  }
  if (!plan.priority.empty()) require_numbers(plan.priority.size(), ops, "priorities");
  for (const double priority : plan.priority) {
    if (!std::isfinite(priority)) refuse("a priority of the plan is not finite");
    result.priority.push_back(priority + 0.0);  // a minus zero becomes a plain one
  }
  std::vector<std::uint8_t> taken(ops, 0);
  for (const auto& group : plan.fused) result.fused.push_back(members_of(group, ops, taken));
  std::ranges::sort(result.fused);
  return result;
}

berth::Plan valid_inside(const berth::Problem& problem, const Plan& plan,
                         const std::string& source) {
  berth::Plan result = inside(problem, plan);
  require_valid(problem, result, source);
  return result;
}

Plan outside(const berth::Plan& plan) {
  Plan result{.placement = indices_of(plan.placement), .priority = plan.priority};
  for (const auto& group : plan.fused) result.fused.push_back(indices_of(group));
  return result;
}

Outcome outside(const berth::Outcome& outcome) {
  return {.step_seconds = outcome.step_seconds,
          .feasible = outcome.feasible && outcome.routable,
          .routable = outcome.routable,
          .over_bytes = outcome.over_bytes,
          .transfers = outcome.transfers,
          .transferred_bytes = outcome.transferred_bytes,
          .peak_bytes = outcome.peak_bytes,
          .busy_seconds = outcome.busy_seconds};
}

Bound outside(const bounds::Bound& bound) { return {bound.seconds, bound.name, bound.explanation}; }

}  // namespace berth::v1
