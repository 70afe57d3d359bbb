// The decisions that a method is asked to take. Placement is always asked for. The order of ops on
// a device (priorities) and which ops run fused as one are asked for by name. A lower bound says
// for which of them it holds.
#pragma once

#include <string>
#include <string_view>

namespace berth {

// The decisions a method may take beside placement, which is always allowed.
struct Tasks {
  bool schedule = false;  // priorities
  bool fusion = false;

  bool operator==(const Tasks&) const = default;
};
// "placement,schedule" ("place" and "fuse" too); throws InputError listing the known tasks.
Tasks parse_tasks(std::string_view text);
std::string format_tasks(Tasks tasks);

}  // namespace berth
