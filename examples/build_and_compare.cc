// Builds a graph and a cluster by hand and lets several methods place one on the other.
//
// Two towers of layers read the same input and meet at the end. One GPU could run all of it; two
// GPUs can run a tower each, if the link between them is fast enough.
#include <cstdio>
#include <string>
#include <vector>

#include "berth/berth.h"

namespace {

berth::Op layer(const std::string& name, const std::string& input) {
  return {.name = name,
          .type = "MatMul",
          .inputs = {input},
          .outputs = {{.shape = {{256, 1024}}, .dtype = "f32"}},
          .param_bytes = 4 << 20,
          .seconds = {{"gpu", 2e-3}}};  // measured
}

berth::Graph two_towers() {
  std::vector<berth::Op> ops = {
      {.name = "input", .type = "Input", .outputs = {{.bytes = 1 << 20}}}};
  for (const std::string tower : {"left", "right"}) {
    std::string before = "input";
    for (int i = 0; i < 4; ++i) {
      ops.push_back(layer(tower + std::to_string(i), before));
      before = ops.back().name;
    }
  }
  ops.push_back(layer("join", "left3"));
  ops.back().inputs.push_back("right3");
  return berth::Graph("two towers", ops, {"join"});
}

berth::Cluster two_gpus() {
  const berth::Device gpu{.name = "gpu:0", .kind = "gpu", .memory_bytes = 1 << 30};
  berth::Device other = gpu;
  other.name = "gpu:1";
  return berth::Cluster("two GPUs", {gpu, other}, {"switch"},
                        {{.from = "gpu:0", .to = "switch", .bandwidth = 10e9},
                         {.from = "gpu:1", .to = "switch", .bandwidth = 10e9}});
}

}  // namespace

int main() try {
  const berth::Problem problem(two_towers(), two_gpus());
  std::printf("%-12s %10s %6s\n", "method", "step", "MB");
  for (const std::string method : {"single", "round_robin", "metis", "etf", "heft", "auto"}) {
    const berth::Placed placed =
        berth::place(problem, {.method = method, .budget = {.evaluations = 500}});
    std::printf("%-12s %7.3f ms %6.1f\n", method.c_str(), 1e3 * placed.outcome.step_seconds,
                static_cast<double>(placed.outcome.transferred_bytes) / 1e6);
  }
  const berth::Bound bound = problem.bounds().best;
  std::printf("%-12s %7.3f ms (%s)\n", "lower bound", 1e3 * bound.seconds, bound.name.c_str());
  return 0;
} catch (const berth::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
