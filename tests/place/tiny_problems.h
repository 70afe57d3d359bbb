// Small problems that between them hold everything a placer must cope with. The conformance suite
// runs every placer over all of them; tests of single placers pick the ones they need by name.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cost/problem.h"
#include "graph/graph_builder.h"

namespace berth::place::fixtures {

struct TinyProblem {
  std::string name;
  std::shared_ptr<const Problem> problem;
  bool has_feasible_plan = true;
};

const std::vector<TinyProblem>& tiny_problems();
const Problem& tiny_problem(std::string_view name);

// Ops of one output, timed per device kind, for graphs that fit on a screen.
struct TinyOp {
  std::string name;
  double gpu_seconds = 1e-3;
  double cpu_seconds = 1e-2;
  std::vector<std::string> inputs = {};
  std::int64_t output_bytes = 1000;
  std::int64_t param_bytes = 0;
  std::vector<std::string> devices = {};
  std::string colocate = {};
};
Graph tiny_graph(std::string name, const std::vector<TinyOp>& ops);

// A CPU called cpu:0 (unless cpu_bytes is 0) and GPUs called gpu:0, gpu:1, ... all on one switch of
// 1 GB/s with no latency.
struct TinyCluster {
  std::size_t gpus = 2;
  std::int64_t gpu_bytes = 1'000'000'000;
  std::int64_t cpu_bytes = 1'000'000'000;
  std::int64_t slots = 1;
};
Cluster tiny_cluster(const TinyCluster& shape = {});

// A random layered graph of about `ops` ops, each reading one to three of the last 20, with weights
// and times over a wide range: big enough for partitioners to have something to do.
Graph layered_graph(std::size_t ops, std::uint64_t seed);

}  // namespace berth::place::fixtures
