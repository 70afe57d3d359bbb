// mincut: recursive bisection for the smallest cut, with the balance left loose.
//
// The tables of the first learned placers have a column MinCut. There it is the Scotch mapper once
// more, with the same costs but the CPU taken out of the target; ops without a GPU kernel stay on
// the CPU. Here the name is taken at its word: groups are cut in two so that few bytes cross, again
// and again until every accelerator has its share, and balance may give way to the cut (imbalance,
// 0.3 by default, against 0.05 of Scotch and 0.03 of METIS). So it differs from `scotch` in method
// and temper, while `scotch` with its default devices is what the papers called MinCut.
//
// The bisection and its cost are described in bisection.h, what happens around it in partition.h.
// Cutting few bytes is not finishing early: groups that wait for one another land on different
// devices and ones that could run at the same time land on the same, so on paths of layers it is
// about as slow as one device. It reads no clock, no link speeds and no memory but in the repair.
//
// Reference: Mirhoseini et al., "Device placement optimization with reinforcement learning", ICML
// 2017, and "A hierarchical model for device placement", ICLR 2018 (baselines); bisection.h.
#pragma once

#include "place/placer.h"

namespace berth::place {

Placer mincut_placer();

}  // namespace berth::place
