// exact: the proven optimum of placement, or a better lower bound.
//
// A first plan comes from `auto` with a part of the budget. Then it tries to refute that any
// placement is shorter (proof/refutation.h): by branching on the devices of groups, with bounds on
// paths, devices, channels, work and memory that exclude devices on the way. Where this is too
// expensive, smaller limits are refuted instead, found by bisection. Each refuted limit is a lower
// bound, above those of bounds/bounds.h. Attempts grow fourfold until one succeeds or the budget
// ends.
//
// It decides placement only, without priorities and fusion, and its optimum is proven over
// placements only. A dozen groups on three devices take a fraction of a second, twenty on four
// mostly seconds (docs/results/exact.txt). On a real network only the bound improves. More than 64
// devices, or tens of millions of ops x devices, are left to `auto`. docs/search.md explains how
// the proofs work.
//
// A pass of propagation over the graph counts as one evaluation. Without a budget it ends after
// kMostPasses of them, fewer on large graphs.
//
// Land and Doig, An Automatic Method of Solving Discrete Programming Problems, Econometrica 1960;
// refuting limits one by one: Klein and Scholl, Computing lower bounds by destructive improvement,
// European Journal of Operational Research 1999.
#pragma once

#include "place/placer.h"

namespace berth::place {

Placer exact_placer();

}  // namespace berth::place
