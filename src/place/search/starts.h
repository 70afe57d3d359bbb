// Where a search begins: plans that are made, not found.
//
// The portfolio is every placer that needs no search. Schedules of blocks are heft's on coarser
// graphs (finish_schedule.h), with transfers that count for more than they take: a list scheduler
// looks one op ahead, and does not know what a tensor that has left its device will cost later on.
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

// Adopts every plan found. With little time, the quick placers get it. `only` names the one placer
// to run; empty for all. On as many threads as given; with a budget in evaluations the plans do not
// depend on it.
std::vector<Start> make_portfolio(const Problem& problem, const Request& request,
                                  std::string_view only, std::size_t threads, Evaluator& evaluator);

// Adds to `starts`, with at most that share of what is left of the budget. On as many threads as
// given; the plans do not depend on it.
void schedule_blocks(const Problem& problem, const std::vector<Family>& families,
                     std::uint64_t seed, double share, std::size_t threads, Evaluator& evaluator,
                     std::vector<Start>& starts);

}  // namespace berth::place
