// A problem small enough to follow by hand: two GPUs with one link of one second latency and 100
// bytes a second, and five ops.
//
//   a (2 s, gpu:0) -> b (3 s, gpu:1) -> d (2 s, gpu:0)
//                  -> c (1 s, gpu:0) -> e (4 s, gpu:0)
//
// a ends at 2; a:0 (100 bytes) reaches gpu:1 at 4; b ends at 7; b:0 (200 bytes) reaches gpu:0
// at 10. c runs from 2 to 3, e from 3 to 7, d from 10 to 12: the step takes 12 seconds.
#pragma once

#include <string>

#include "cluster/cluster_file.h"
#include "cost/problem.h"
#include "frontends/graph_file.h"
#include "plan/plan.h"

namespace berth {

inline Problem small_problem(const std::string& memory = "10000B",
                             const std::string& name_of_b = "b") {
  const std::string graph =
      R"({"format": "berth.graph", "version": 1, "name": "small", "ops": [
    {"name": "a", "type": "MatMul", "outputs": [{"bytes": 100}], "param_bytes": 1000, "seconds": {"gpu": 2}},
    {"name": ")" +
      name_of_b +
      R"(", "type": "MatMul", "inputs": ["a"], "outputs": [{"bytes": 200}], "seconds": {"gpu": 3}},
    {"name": "c", "type": "Relu", "inputs": ["a"], "outputs": [{"bytes": 100}], "seconds": {"gpu": 1}},
    {"name": "d", "type": "Add", "inputs": [")" +
      name_of_b + R"("], "outputs": [{"bytes": 50}], "seconds": {"gpu": 2}},
    {"name": "e", "type": "Add", "inputs": ["c"], "outputs": [{"bytes": 50}], "seconds": {"gpu": 4}}],
    "outputs": ["d", "e"]})";
  const std::string cluster =
      R"({"format": "berth.cluster", "version": 1, "name": "pair", "devices": [
    {"name": "gpu:0", "kind": "gpu", "memory": ")" +
      memory + R"("},
    {"name": "gpu:1", "kind": "gpu", "memory": "10000B"}],
    "links": [{"between": ["gpu:0", "gpu:1"], "bandwidth": 100, "latency": 1}]})";
  return Problem(parse_graph(graph, "graph"), parse_cluster(cluster, "cluster"));
}

inline Plan small_plan() {
  const DeviceId first(0), second(1);
  return {.placement = {first, second, first, first, first}};
}

}  // namespace berth
