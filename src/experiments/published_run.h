// Runs our methods on the rows of a published table: each column's method on the row's workload and
// cluster. A method that does not apply leaves its cell empty.
#pragma once

#include <cstdint>
#include <vector>

#include "base/budget.h"
#include "experiments/observer.h"
#include "experiments/published_results.h"

namespace berth::experiments {

// The budget is for each method that searches. When the observer asks to stop, rows that have not
// begun are left out, and so are cells of the row that was under way.
std::vector<OurRow> run_published(const PublishedTable& table, const Budget& budget,
                                  std::uint64_t seed, const Observer& observer);

}  // namespace berth::experiments
