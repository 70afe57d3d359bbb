// heft: heterogeneous earliest finish time.
//
// Idea. Take the ops by falling upward rank, the length of the longest path from the op to the end
// of the step (upward_rank.h). Put each on the device where it finishes first, in the first idle
// gap of that device that is long enough:
//
//   finish(i, d) = first gap of d from the arrival of i's inputs on + cost(i, d)
//
// For the first op of a colocation group what the whole group loses on the device is added, and its
// parameters are reserved there. Ops that fit no device go where most room is left; the run is
// repeated with tighter limits until the simulator says that the plan fits.
//
// Two plans are made and simulated, unless the option `links` names one: one as published, in which
// transfers never wait for one another, and one in which they queue for channels
// (schedule_state.h). The second is closer to the rules of execution, but queues transfers in order
// of rank rather than of time; either may win.
//
// Under our rules the device starts ready ops in the order in which they became ready, not by the
// plan's timeline. Where priorities may be set, the upward rank is given as priority too, which
// brings the execution closer to the plan.
//
// Cost. O((ops + edges) x devices + ops x devices x log ops).
//
// What it cannot do. It is greedy op by op and does not know that the sum of transfers into a later
// op may dwarf what it gains now. Memory is estimated in order of rank, which is further from the
// order of time than that of etf.
//
// Reference: Topcuoglu, Hariri, Wu, "Performance-effective and low-complexity task scheduling for
// heterogeneous computing", IEEE TPDS 2002.
#pragma once

#include "place/placer.h"

namespace berth::place {

Placer heft_placer();

}  // namespace berth::place
