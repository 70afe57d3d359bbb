// cpu: everything that may run there on the host's CPU.
//
// The first column of the published tables. An op that may not run on the CPU goes to its fastest
// allowed device. With several CPUs each is tried alone and the best kept, by the rules of `single`
// (single.h). On a cluster without a CPU every op goes to its fastest allowed device, with a
// remark, so that a comparison over many clusters still has its row.
//
// One evaluation per CPU, O(ops) each.
#pragma once

#include "place/placer.h"

namespace berth::place {

Placer cpu_placer();

}  // namespace berth::place
