// A plan as the engines want it: by kernel of a Program instead of by op, with the cost looked up.
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
