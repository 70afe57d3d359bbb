// Constraints that were written for a whole cluster, applied to what is left after devices were
// lost.
#pragma once

#include "cluster/cluster.h"
#include "cost/constraints.h"

namespace berth {

// Names that only lost devices answer to are left out: of a pin to several devices the others
// remain, and a device that is gone need not be forbidden. Names that never meant anything stay,
// for the problem to complain about. Throws InputError for a pin to lost devices alone.
Constraints without_lost(Constraints constraints, const Cluster& whole, const Cluster& rest);

}  // namespace berth
