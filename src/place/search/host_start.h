// A start for problems whose parameters exceed the memory of the accelerators.
//
// Some parameters must be on the host then, and every step pays for that: with slow ops there, or
// with transfers of what they make. Placers leave to the host what they happen to place last. This
// chooses again, in a plan that is given:
//
//   1. Everything on the host goes to the accelerator with which it exchanges most bytes.
//   2. From every accelerator that is too full in the simulation, the groups that cost the least
//      time per byte go to the host:
//        (seconds there - seconds here + added transfer time) / bytes freed
//      The bytes freed are the group's parameters and a share of its outputs, from the simulation.
//      This is repeated until the plan fits, at most 16 times.
//
// Groups keep their accelerator otherwise, so this is only as good as the rest of the plan. Costs
// one simulation per round; a round is O(groups log groups + edges). Transfers are taken as if each
// delayed the step: what overlaps with other work is not seen.
#pragma once

#include <vector>

#include "place/search/starts.h"

namespace berth::place {

// Adds the plan made from the best one so far to `starts`. Does nothing where the accelerators have
// room for all parameters, where there is no host, or where some devices have no route.
void add_host_start(const Problem& problem, const Request& request, Evaluator& evaluator,
                    std::vector<Start>& starts);

}  // namespace berth::place
