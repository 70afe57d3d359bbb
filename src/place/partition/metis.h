// metis: multilevel k-way partitioning by the METIS library.
//
// Idea. Coarsen the graph by merging heavy edges, partition the small graph, and refine while the
// merges are undone. Minimises the bytes between parts (objective=cut) or, with objective=volume,
// the outputs of a group times the number of other parts that read them, which is closer to what is
// sent: a tensor is sent to each device once. Parts weigh their device's share of the work within
// `imbalance` (METIS's ufactor). With memory=on the bytes of a part are balanced as well, in
// proportion to what each device may hold (two constraints), so that fewer partitions need repair.
//
// Input and repair are described in partition.h. METIS has no fixed vertices: pinned groups are
// moved to their device afterwards. It ignores link speeds, direction and time, so like all
// partitioners it may let devices wait for one another.
//
// Cost: about linear in the edges; 100,000 groups on 8 devices take a fraction of a second. Seeded
// from the request. The library keeps its random state in the C library's rand(), so calls are
// serialised here. It prints to stdout when a part would stay empty, so stdout is redirected while
// it runs.
//
// Reference: Karypis and Kumar, "Multilevel k-way partitioning scheme for irregular graphs", J.
// Parallel Distrib. Comput. 1998; a baseline of Zhou et al., GO, NeurIPS 2020.
#pragma once

#include "place/placer.h"

namespace berth::place {

Placer metis_placer();

}  // namespace berth::place
