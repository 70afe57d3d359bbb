// Runs the benchmark of the search: on every pair all placers, then `auto` by budget and once with
// a schedule.
#pragma once

#include <cstdint>
#include <vector>

#include "base/budget.h"
#include "experiments/observer.h"
#include "experiments/search_pairs.h"
#include "experiments/search_results.h"

namespace berth::experiments {

// A run without rows: what is known before it begins. `budgets` are those of auto, in rising order.
SearchRun new_search_run(const std::vector<Budget>& budgets, std::uint64_t seed);

// Adds a row per pair. When the observer asks to stop, the pair that is under way is left out,
// since a part of its figures would mislead, and the run is marked as interrupted.
void run_search_pairs(const std::vector<SearchPair>& pairs, const std::vector<Budget>& budgets,
                      const Observer& observer, SearchRun& run);

}  // namespace berth::experiments
