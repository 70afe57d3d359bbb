// The results of learning.h as tables: one per problem with every arm, and one over all problems
// that compares each arm with the arm it is a variant of.
#pragma once

#include <string>
#include <vector>

#include "experiments/learning_run.h"
#include "report/text.h"

namespace berth::experiments {

// Of one part. Cells that have no result yet are left out, and counted in a line at the end.
std::string learning_tables(const LearningPart& part, const std::vector<LearningRecord>& records,
                            std::size_t cells, report::Ink ink);

}  // namespace berth::experiments
