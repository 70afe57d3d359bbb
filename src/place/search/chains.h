// Several annealing chains (annealer.h) in parallel.
//
// They run in rounds. A round gives every chain the same number of steps at one temperature, which
// falls from round to round. Between rounds the chain with the worst best plan continues from the
// best plan of all. Results are collected in order of chains, so for a given number of chains a
// budget in evaluations gives the same plan at any number of threads.
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
