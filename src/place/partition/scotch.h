// scotch: static mapping onto the devices by the Scotch library.
//
// Idea. Dual recursive bipartitioning: the set of devices is halved, the groups are divided between
// the halves so that few bytes cross, and so on within each half; multilevel, with refinement. The
// target is described to Scotch as an architecture: every device with its speed and, with links=on,
// every pair with a distance, so that groups that exchange many bytes go to devices with fast
// links:
//
//   distance(d, e) = bandwidth of the fastest pair / bandwidth of d and e, rounded, 1 to 31
//
// The sum of bytes x distance over cut edges is minimised while every device's work stays within
// `imbalance` of its share. Groups that may use only one device are fixed vertices of the mapping.
//
// In the papers this baseline maps onto CPU and GPUs (scotch:devices=all). Their MinCut is the same
// without the CPU, which is the default here because it is the better of the two.
//
// Input and repair are described in partition.h. Like all partitioners it ignores direction and
// time. Cost: about linear in the edges; 100,000 groups on 8 devices take a tenth of a second, but
// several seconds when thousands of them are pinned and links differ. Seeded from the request, one
// thread. Calls are serialised because building an architecture uses the library's global random
// state. Scotch sometimes ignores a fixed vertex on an architecture with distances; this is
// corrected afterwards. Its own error messages go to stderr.
//
// Reference: Pellegrini and Roman, "Scotch: a software package for static mapping by dual recursive
// bipartitioning of process and architecture graphs", HPCN Europe 1996; a baseline of Mirhoseini et
// al., ICML 2017 and ICLR 2018.
#pragma once

#include "place/placer.h"

namespace berth::place {

Placer scotch_placer();

}  // namespace berth::place
