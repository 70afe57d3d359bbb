// A plan in the form the engines read: per kernel of a Program instead of per op, with the cost of
// each kernel on its device looked up.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/program.h"

namespace berth {

struct Assignment {
  std::vector<std::uint16_t> device;  // by kernel
  std::vector<double> seconds;        // by kernel
  std::vector<double> priority;       // by kernel; empty when the plan has none
};

}  // namespace berth
