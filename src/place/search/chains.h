// Chains of annealing (annealer.h) side by side.
//
// They run in rounds. A round gives every chain the same number of steps at a temperature that
// falls from round to round; between rounds the chain that has fallen furthest behind takes over
// the best plan. The number of chains does not depend on the number of threads, and results are
// gathered in order of chains, so that a budget in evaluations gives one plan on any machine.
#pragma once

#include "place/search/annealer.h"
#include "place/search/starts.h"

namespace berth::place {

// Until the evaluator has had enough. `starts` is not empty.
void anneal(const Landscape& landscape, const Request& request, std::size_t threads,
            std::vector<Start> starts, Evaluator& evaluator);

}  // namespace berth::place
