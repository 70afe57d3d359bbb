// A cluster and graphs small enough to see through, for tests of plans.
#pragma once

#include <string>

#include "cluster/cluster_file.h"
#include "cost/problem.h"
#include "frontends/graph_file.h"

namespace berth {

// Two GPUs and a CPU on one switch, and a third GPU that nothing leads to.
inline Cluster small_cluster() {
  return parse_cluster(R"({"format": "berth.cluster", "version": 1, "name": "small",
    "devices": [{"name": "cpu:0", "kind": "cpu", "memory": "unlimited", "flops": "1TFLOPS"},
                {"name": "gpu:0", "kind": "gpu", "memory": "unlimited", "flops": "9TFLOPS"},
                {"name": "gpu:1", "kind": "gpu", "memory": "unlimited", "flops": "9TFLOPS"},
                {"name": "gpu:2", "kind": "gpu", "memory": "unlimited", "flops": "9TFLOPS"}],
    "switches": ["pcie"],
    "links": [{"between": ["cpu:0", "pcie"], "bandwidth": "12GB/s"},
              {"between": ["gpu:0", "pcie"], "bandwidth": "12GB/s"},
              {"between": ["gpu:1", "pcie"], "bandwidth": "12GB/s"}]})",
                       "cluster");
}

inline Graph graph_of(const std::string& ops) {
  return parse_graph(R"({"format": "berth.graph", "version": 1, "ops": [)" + ops + "]}", "graph");
}

// {"name": .., "type": .., "inputs": [..], "outputs": [{"bytes": 4}], ...}; inputs and more are
// written as JSON.
inline std::string op(const std::string& name, const std::string& type, const std::string& inputs,
                      const std::string& more = "") {
  return R"({"name": ")" + name + R"(", "type": ")" + type + R"(", "inputs": [)" + inputs +
         R"(], "outputs": [{"bytes": 4}])" + more + "}";
}

}  // namespace berth
