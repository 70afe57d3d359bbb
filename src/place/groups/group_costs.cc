#include "place/groups/group_costs.h"

#include <algorithm>

namespace berth::place {

GroupCosts::GroupCosts(const Problem& problem)
    : problem_(problem),
      classes_(problem.class_count()),
      seconds_(problem.group_count() * problem.class_count(), 0),
      fastest_(problem.group_count(), Problem::kImpossible) {
  for (std::size_t index = 0; index < problem.op_count(); ++index) {
    const OpId op(index);
    double* row = &seconds_[problem.group(op).index() * classes_];
    for (std::size_t cost_class = 0; cost_class < classes_; ++cost_class) {
      row[cost_class] += problem.class_seconds(op, cost_class);
    }
  }
  for (std::size_t index = 0; index < problem.group_count(); ++index) {
    const GroupId group(index);
    for (const DeviceId device : problem.allowed_devices(group)) {
      fastest_[index] = std::min(fastest_[index], seconds(group, device));
    }
  }
}

}  // namespace berth::place
