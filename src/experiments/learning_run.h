// Runs the cells of learning.h that have no result yet, and reads those that have.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/learning.h"
#include "experiments/observer.h"

namespace berth::experiments {

struct LearningOptions {
  std::string folder;
  std::vector<LearningCell> cells;
  // Of several processes that share the work, this one takes every n-th cell.
  std::uint64_t share = 0;
  std::uint64_t shares = 1;
};

// Runs what is missing; a cell that is cut short by a stop leaves no result. Throws InputError.
void run_learning(const LearningOptions& options, const Observer& observer);

struct LearningRecord {
  LearningCell cell;
  LearningResult result;
};
// The results that are there. Throws InputError when one cannot be read.
std::vector<LearningRecord> read_learning(const std::string& folder,
                                          const std::vector<LearningCell>& cells);

}  // namespace berth::experiments
