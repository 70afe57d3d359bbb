// Linear graphs in tight memory, the harder half of linear_plan.h: a dynamic program whose states
// are labels (time, last device, bytes on every device), pruned by dominance.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "place/sequence/linear_plan.h"

namespace berth::place {

// Whether the whole path fits on each device alone, so that memory never matters.
bool fits_anywhere(const Problem& problem, const LinearGraph& path, const Handovers& handovers,
                   std::span<const std::int64_t> limits);

std::optional<LinearPlan> place_by_labels(const Problem& problem, const LinearGraph& path,
                                          const Handovers& handovers,
                                          std::span<const std::int64_t> limits,
                                          const std::function<bool()>& stop);

}  // namespace berth::place
