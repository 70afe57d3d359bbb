#include "place/search/enumeration.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "place/groups/group_devices.h"
#include "place/move_limit.h"

namespace berth::place {
namespace {

constexpr double kMany = 1e15;

double count_placements(const Problem& problem) {
  double count = 1;
  for (std::size_t group = 0; group < problem.group_count() && count < kMany; ++group) {
    count *= static_cast<double>(problem.allowed_devices(GroupId(group)).size());
  }
  return count < kMany ? count : std::numeric_limits<double>::infinity();
}

double count_orders(const Problem& problem, Tasks tasks) {
  double count = 1;
  if (!tasks.schedule) return count;
  for (std::size_t ops = problem.op_count(); ops > 1 && count < kMany; --ops) {
    count *= static_cast<double>(ops);
  }
  return count + 1;  // and the order of readiness
}

}  // namespace

double count_plans(const Problem& problem, Tasks tasks) {
  return count_placements(problem) * count_orders(problem, tasks);
}

void enumerate(const Problem& problem, Tasks tasks, const MoveLimit* keep, Evaluator& evaluator) {
  std::vector<std::size_t> choice(problem.group_count(), 0);
  GroupDevices devices(choice.size());
  std::vector<double> ranks(problem.op_count());
  for (;;) {
    for (std::size_t group = 0; group < choice.size(); ++group) {
      devices[group] = problem.allowed_devices(GroupId(group))[choice[group]];
    }
    Plan plan = plan_of(problem, devices);
    if (keep == nullptr || count_moved(*keep, plan) <= keep->most_moved) {
      if (evaluator.exhausted()) return;
      evaluator.consider(plan);
      std::iota(ranks.begin(), ranks.end(), 0.0);
      while (tasks.schedule) {
        if (evaluator.exhausted()) return;
        plan.priority = ranks;
        evaluator.consider(plan);
        if (!std::next_permutation(ranks.begin(), ranks.end())) break;
      }
    }
    std::size_t group = 0;
    // An odometer with one digit per group.
    while (group < choice.size() &&
           ++choice[group] == problem.allowed_devices(GroupId(group)).size()) {
      choice[group++] = 0;
    }
    if (group == choice.size()) return;
  }
}

}  // namespace berth::place
