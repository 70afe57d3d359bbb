// A plan: the device of every op, and optionally the priorities of ops in the queues of their
// devices and the groups of ops that run fused. A plain value. Validity is checked separately,
// because searches make up to a million plans per second that are valid by construction.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.h"
#include "cost/problem.h"

namespace berth {

struct Plan {
  std::vector<DeviceId> placement;            // one per op
  std::vector<double> priority = {};          // empty: every op has 0
  std::vector<std::vector<OpId>> fused = {};  // members ascending, groups by first member

  bool operator==(const Plan&) const = default;
};

std::uint64_t hash_of(const Plan& plan);

// Everything that makes the plan invalid, one sentence each, naming the op: an op on a device it
// may not use, colocated ops on different devices, a tensor to be sent where there is no route, a
// fused group that is not connected, not convex, on several devices, has two heavy ops, or closes a
// cycle. Empty when the plan is valid. At most `most` sentences.
std::vector<std::string> violations(const Problem& problem, const Plan& plan,
                                    std::size_t most = 20);

// Throws InputError with the first violation; `source` names the plan.
void require_valid(const Problem& problem, const Plan& plan, const std::string& source);

}  // namespace berth
