// A copy of a problem's graph with the cost of every op on every device written out as given
// seconds, so that other tools, or another version of the cost model, see the same times.
//
// Devices are named by the widest label that still tells the truth: the kind if all its devices
// cost the same, else the model, else the name. Given seconds of the original are replaced.
#pragma once

#include "cost/problem.h"
#include "graph/graph.h"

namespace berth::report {

Graph costed_graph(const Problem& problem);

}  // namespace berth::report
