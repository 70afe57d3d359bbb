// A plan as the engines want it: by unit of a Program instead of by op, with the cost looked up.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/program.h"

namespace berth {

struct Assignment {
  std::vector<std::uint16_t> device;  // by unit
  std::vector<double> seconds;        // by unit
  std::vector<double> priority;       // by unit; empty when the plan has none
};

}  // namespace berth
