// mincut: recursive bisection for the smallest cut, with a loose balance.
//
// The tables of the first learned placers have a column MinCut. There it is the Scotch mapper
// again, with the same costs but without the CPU as a target; ops without a GPU kernel stay on the
// CPU. Here the name is taken literally: groups are cut in two so that few bytes cross, recursively
// until every accelerator has its share, and a smaller cut may be less balanced (imbalance 0.3 by
// default, compared with 0.05 of Scotch and 0.03 of METIS). So it differs from `scotch` in method
// and balance, while `scotch` with its default devices is what the papers called MinCut.
//
// The bisection and its cost are described in bisection.h, the rest in partition.h. A small cut is
// not a short step: groups that wait for one another get different devices, and groups that could
// run in parallel get the same one, so on paths of layers it is about as slow as one device. It
// looks neither at time nor at link speeds, and at memory only in the repair.
//
// Reference: Mirhoseini et al., "Device placement optimization with reinforcement learning", ICML
// 2017, and "A hierarchical model for device placement", ICLR 2018 (baselines); bisection.h.
#pragma once

#include "place/placer.h"

namespace berth::place {

Placer mincut_placer();

}  // namespace berth::place
