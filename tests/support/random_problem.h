// Random graphs, clusters and plans for differential tests. Half of the seeds use small integers
// for times and sizes, so that many things happen at one instant and every tie-break is exercised.
#pragma once

#include <cstdint>
#include <memory>

#include "base/random.h"
#include "cost/problem.h"
#include "plan/plan.h"

namespace berth {

struct RandomProblemOptions {
  std::int64_t max_ops = 40;
  std::int64_t max_devices = 5;
  bool slots = true;    // devices with several slots
  bool aliases = true;  // resident outputs and aliases
  bool zero_costs = true;
  bool colocation = false;
};

Graph random_graph(Random& random, const RandomProblemOptions& options, bool integers);
Cluster random_cluster(Random& random, const RandomProblemOptions& options, bool integers);

// Placement at random; priorities and fused groups each with probability one half when asked for.
Plan random_plan(Random& random, const Problem& problem, bool priorities, bool fusion);

}  // namespace berth
