// Problems that only careful packing solves, around a plan that does: it fills 95% of the memory of
// every device at its peak, and no group takes more than 5% of any device's memory.
//
// Chains, layers or random graphs: as a forward pass whose results are partly kept to the end, or
// as training, where activations wait for their gradients and each forward op is colocated with its
// gradient. 4 to 8 devices, half of the time of unequal memory, and up to 400 groups of uneven
// sizes, 25 and more a device. Training comes in two to four windows that follow one another; the
// planted plan gives every device its share of each, so that it never holds the activations of two.
// What a plan needs depends on when its ops run and on the copies it makes, so that adding up bytes
// is not enough: no placer that only constructs finds a plan for most of them.
#pragma once

#include <cstdint>

#include "support/planted_problem.h"

namespace berth {

inline constexpr double kTightFill = 0.95;
inline constexpr double kLargestTightGroup = 0.05;  // of the smallest device

struct TightSize {
  std::int64_t most_devices = 8;  // at least 4
  std::int64_t most_groups = 400;
};
PlantedProblem tight_problem(std::uint64_t seed, const TightSize& size = {});

// Parameters, workspace and outputs of all ops of the largest group.
std::int64_t largest_group_bytes(const Problem& problem);

}  // namespace berth
