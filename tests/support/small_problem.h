// Random problems of a given number of groups and devices, such as a proof of optimality is tried
// on: communication matters, devices are alike or not, memory binds now and then.
#pragma once

#include <cstdint>

#include "cost/problem.h"

namespace berth {

Problem small_problem(std::uint64_t seed, std::size_t groups, std::size_t devices);

}  // namespace berth
