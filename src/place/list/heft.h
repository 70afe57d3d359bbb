// heft: heterogeneous earliest finish time.
//
// Idea. Take the ops by falling upward rank, the length of the longest path from the op to the end
// of the step (upward_rank.h). Put each on the device where it finishes first, in the first idle
// gap of that device that is long enough:
//
//   finish(i, d) = first gap of d after the arrival of i's inputs + cost(i, d)
//
// For the first op of a colocation group, what the whole group loses on the device is added, and
// its parameters are reserved there. Ops that fit on no device go where most room is left. The run
// is repeated with tighter limits until the simulated plan fits.
//
// Two plans are made and simulated, unless the option `links` names one: one as published, where
// transfers never wait for each other, and one where they queue for channels (schedule_state.h).
// The second is closer to the execution rules, but queues transfers in order of rank instead of
// time. Either may be better.
//
// By the execution rules a device starts ready ops in the order in which they became ready, not in
// the planned order. Where priorities may be set, the upward rank is also given as priority, which
// brings the execution closer to the plan.
//
// Cost. O((ops + edges) x devices + ops x devices x log ops).
//
// Limits. It is greedy op by op and does not see that the transfers into a later op may cost far
// more than it gains now. Memory is estimated in order of rank, which is further from the order of
// time than the order of etf is.
//
// Reference: Topcuoglu, Hariri, Wu, "Performance-effective and low-complexity task scheduling for
// heterogeneous computing", IEEE TPDS 2002.
#pragma once

#include "place/placer.h"

namespace berth::place {

Placer heft_placer();

}  // namespace berth::place
