// Random problems with everything that restricts a plan, for methods that must respect it all:
// colocation by the model and by the user, pins, ops and clusters with forbidden devices, unequal
// devices and links, links shared by both ways, switches, missing routes, slots, memory that binds.
// Transfers cost about as much as ops, so that where things are matters. A third uses small
// integers, so that ties happen.
//
// Around a planted plan: it is always valid, and fits but for a few problems whose memory was cut
// below its peak and in which perhaps nothing fits.
#pragma once

#include <cstdint>

#include "support/planted_problem.h"

namespace berth {

struct ConstrainedShape {
  std::int64_t least_ops = 2;
  std::int64_t most_ops = 40;
  std::int64_t least_devices = 1;
  std::int64_t most_devices = 5;
};

PlantedProblem constrained_problem(std::uint64_t seed, const ConstrainedShape& shape = {});

}  // namespace berth
