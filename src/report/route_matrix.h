// The bandwidth of the route between any two devices, as a small table: for a mesh it is
// clearer than a drawing.
#pragma once

#include <string>

#include "cluster/cluster.h"

namespace berth::report {

// Rows send, columns receive; columns are numbered to fit the terminal.
std::string route_matrix(const Cluster& cluster);

}  // namespace berth::report
