// The problem that the simulator's speed is measured on: random ops with two inputs each, taken
// from the `window` ops before (so that the graph looks the same at every size), on devices that
// are all linked to each other, with random placements. Communication and computation weigh about
// the same.
#pragma once

#include <cstdint>
#include <vector>

#include "cost/problem.h"
#include "plan/plan.h"

namespace berth {

struct BenchOptions {
  std::size_t ops = 1000;
  std::size_t devices = 4;
  std::size_t window = 50;
  std::uint64_t seed = 1;
};

Problem make_bench_problem(const BenchOptions& options);
std::vector<Plan> random_placements(const Problem& problem, std::size_t count, std::uint64_t seed);

}  // namespace berth
