// A cluster drawn as text: a tree of switches and devices with the rate of every link, and for a
// mesh of few devices the bandwidth between any two (route_matrix.h).
#pragma once

#include <string>

#include "cluster/cluster.h"

namespace berth::report {

std::string draw_topology(const Cluster& cluster);

}  // namespace berth::report
