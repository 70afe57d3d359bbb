// A placed graph in Graphviz's language: ops coloured by device, tensors that change devices drawn
// thick with their size. Meant for small graphs; beyond a few hundred ops the picture
// cannot be read and Graphviz takes minutes.
#pragma once

#include <string>

#include "plan/plan.h"

namespace berth::report {

inline constexpr std::size_t kMostOpsToDraw = 500;

std::string placement_dot(const Problem& problem, const Plan& plan);

}  // namespace berth::report
