// Places a workload of the zoo on a cluster, shows what each device does and writes the plan.
//
//   place_zoo_model [MODEL [CLUSTER]]
//
// MODEL may as well be a graph file or an ONNX file, and CLUSTER a cluster file.
#include <cstdio>
#include <string>
#include <vector>

#include "berth/berth.h"

namespace {

void print_devices(const berth::Problem& problem, const berth::Placed& placed) {
  const std::vector<berth::Device> devices = problem.cluster().devices();
  std::vector<int> ops(devices.size(), 0);
  for (const std::size_t device : placed.plan.placement) ++ops[device];
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const double busy = placed.outcome.busy_seconds[i] / placed.outcome.step_seconds;
    const double gigabytes = static_cast<double>(placed.outcome.peak_bytes[i]) / 1e9;
    std::printf("%-8s %5d ops, %3.0f%% busy, %5.2f GB\n", devices[i].name.c_str(), ops[i],
                100 * busy, gigabytes);
  }
}

}  // namespace

int main(int argc, char** argv) try {
  const std::string model = argc > 1 ? argv[1] : "zoo:rnnlm:seq=8";
  const std::string cluster = argc > 2 ? argv[2] : "4xP100";

  const berth::Problem problem(berth::Graph::load(model), berth::Cluster::load(cluster));
  const berth::Placed placed = berth::place(problem, {.budget = {.evaluations = 2000}});

  std::printf("%s on %s: %zu ops, a step takes %.3f ms\n", model.c_str(), cluster.c_str(),
              problem.op_count(), 1e3 * placed.outcome.step_seconds);
  std::printf("no plan is shorter than %.3f ms (%s)\n", 1e3 * placed.bound.seconds,
              placed.bound.name.c_str());
  print_devices(problem, placed);
  if (!placed.outcome.feasible) {
    std::printf("the plan does not fit: %s\n", problem.prove_infeasible().explanation.c_str());
    return 3;
  }
  berth::write_plan("plan.json", problem, placed);
  std::printf("plan.json: the plan\n");
  return 0;
} catch (const berth::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
