// Chains of annealing (annealer.h) side by side.
//
// They run in rounds. A round gives every chain the same number of steps at a temperature that
// falls from round to round; between rounds the chain that has fallen furthest behind takes over
// the best plan. Results are gathered in order of chains, so that for one number of chains a budget
// in evaluations gives one plan at any number of threads.
#pragma once

#include "place/search/annealer.h"
#include "place/search/starts.h"

namespace berth::place {

inline constexpr std::size_t kFewestChains = 4;  // unless fewer are asked for

struct ChainOptions {
  std::size_t chains = kFewestChains;
  std::size_t threads = 1;
};

// Until the evaluator has had enough. `starts` is not empty.
void anneal(const Landscape& landscape, const Request& request, const ChainOptions& options,
            std::vector<Start> starts, Evaluator& evaluator);

}  // namespace berth::place
