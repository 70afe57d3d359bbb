// Chains in tight memory, the harder half of chain_plan.h: a dynamic program whose states are
// labels (time, last device, bytes on every device), pruned by dominance.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "place/sequence/chain_plan.h"

namespace berth::place {

// Whether the whole chain fits on each device alone, so that memory never matters.
bool fits_anywhere(const Problem& problem, const Chain& chain, const Handovers& handovers,
                   std::span<const std::int64_t> limits);

std::optional<ChainPlan> place_by_labels(const Problem& problem, const Chain& chain,
                                         const Handovers& handovers,
                                         std::span<const std::int64_t> limits,
                                         const std::function<bool()>& stop);

}  // namespace berth::place
