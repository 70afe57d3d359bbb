// Small problems solved by trying everything: what methods that claim an optimum are held to.
#pragma once

#include <functional>
#include <limits>

#include "bounds/bounds.h"
#include "cost/problem.h"
#include "plan/plan.h"

namespace berth {

// Every choice of an allowed device for every group; the plan has no priorities. `visit` may change
// anything but the placement.
void for_each_placement(const Problem& problem, const std::function<void(Plan&)>& visit);

// The placement with every strict order of priorities. Equal priorities give nothing more: any
// schedule is also that of the order in which its ops start. Stops when `visit` returns false.
void for_each_order(Plan& plan, const std::function<bool(const Plan&)>& visit);

// The shortest step of all plans that fit; infinite when none does. Placements, and with
// tasks.schedule their orders; fusion is not tried.
double shortest_step(const Problem& problem, Tasks tasks = {});

}  // namespace berth
