// The plans that a search starts from.
//
// The portfolio runs every placer that needs no search. Schedules of blocks are those of heft on
// coarser graphs (finish_schedule.h), with transfer times multiplied: a list scheduler looks one op
// ahead and does not see what a tensor that has left its device costs later.
#pragma once

#include <string_view>
#include <vector>

#include "place/evaluator.h"
#include "place/search/families.h"

namespace berth::place {

struct Start {
  Plan plan;
  Outcome outcome;
};

// The evaluator adopts every plan. When time is short, only fast placers run. `only` names the one
// placer to run; empty for all. With a budget in evaluations the plans do not depend on `threads`.
std::vector<Start> make_portfolio(const Problem& problem, const Request& request,
                                  std::string_view only, std::size_t threads, Evaluator& evaluator);

// Adds to `starts`, using at most `share` of the remaining budget. The plans do not depend on
// `threads`.
void schedule_blocks(const Problem& problem, const std::vector<Family>& families,
                     std::uint64_t seed, double share, std::size_t threads, Evaluator& evaluator,
                     std::vector<Start>& starts);

}  // namespace berth::place
