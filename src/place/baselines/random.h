// random: the best of many placements drawn uniformly at random.
//
// Every group gets a device drawn uniformly from those it may use, independently of the others.
// Each draw is simulated and the best is kept. Search and learning must beat this with the same
// number of evaluations.
//
// Draws until the budget is spent, at most `tries` times; without either, 100 times. A draw that
// lacks a route is repaired towards the nearest placement that has one (route_repair.h). If none of
// the first 100 draws fits in memory (with a smaller budget or number of tries: half the budget, or
// all tries), the best of them is repaired once (memory_repair.h), and drawing continues.
//
// O(ops) and one evaluation per draw. One generator, seeded from the request: the first n draws are
// the same for any budget.
#pragma once

#include "place/placer.h"

namespace berth::place {

Placer random_placer();

}  // namespace berth::place
