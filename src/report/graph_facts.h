// Counts and sizes of a graph, for `berth inspect`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cost/problem.h"
#include "graph/graph.h"
#include "sim/outcome.h"

namespace berth::report {

struct TypeFacts {
  std::string type;
  std::size_t ops = 0;
  double flops = 0;
  std::int64_t param_bytes = 0;
};

struct GraphFacts {
  std::size_t ops = 0, edges = 0, tensors = 0;
  std::int64_t param_bytes = 0;
  std::int64_t tensor_bytes = 0;  // of all tensors that are not weights or views
  double flops = 0;
  std::size_t depth = 0;  // ops on the longest path
  std::size_t layers = 0;
  std::size_t colocation_labels = 0;
  std::vector<TypeFacts> types;           // most flops first, then most ops
  std::vector<TensorId> largest_tensors;  // largest first
  std::vector<OpId> largest_params;
};

GraphFacts graph_facts(const Graph& graph, std::size_t most_listed = 5);

// The whole graph on one device.
struct DeviceFacts {
  DeviceId device;
  std::size_t forbidden_ops = 0;  // that may not run there; the rest is then empty
  double total_seconds = 0;       // sum of the costs of the ops
  Outcome outcome;                // of the plan that puts everything there
};

// At most `most_devices`, in order of number; of devices that are alike in cost and memory the
// first.
std::vector<DeviceFacts> device_facts(const Problem& problem, std::size_t most_devices = 16);

}  // namespace berth::report
