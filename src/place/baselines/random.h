// random: the best of many placements drawn uniformly at random.
//
// Every group gets a device drawn uniformly from those it may use, independently; the simulator
// judges the whole; the best is kept. What search and learning must beat with the same number of
// evaluations.
//
// Draws until the budget is spent, at most `tries` times; without either, 100 times. A draw that
// lacks a route is repaired towards the nearest that has one (route_repair.h). When the first 100
// draws (with a smaller budget or number of tries: half the budget, or all tries) hold none that
// fits in memory, the best of them is repaired once (memory_repair.h) and drawing goes on.
//
// O(ops) and one evaluation per draw. One generator, seeded from the request: the first n draws are
// the same whatever the budget.
#pragma once

#include "place/placer.h"

namespace berth::place {

Placer random_placer();

}  // namespace berth::place
