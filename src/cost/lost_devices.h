// Adapts constraints that were written for a whole cluster to what is left after devices were lost.
#pragma once

#include "cluster/cluster.h"
#include "cost/constraints.h"

namespace berth {

// Names that match only lost devices are left out: a pin to several devices keeps the others, and a
// lost device need not be forbidden. Names that never matched anything stay, so that the problem
// reports them. Throws InputError for a pin to lost devices alone.
Constraints without_lost(Constraints constraints, const Cluster& whole, const Cluster& rest);

}  // namespace berth
