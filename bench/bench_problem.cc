#include "bench_problem.h"

#include <algorithm>
#include <string>

#include "base/random.h"
#include "graph/graph_builder.h"

namespace berth {

Problem make_bench_problem(const BenchOptions& options) {
  Random random(options.seed);
  GraphBuilder builder("bench");
  std::vector<TensorRef> tensors;
  for (std::size_t i = 0; i < options.ops; ++i) {
    const OpId op = builder.add_op("op" + std::to_string(i), "MatMul");
    builder.add_seconds(op, "gpu", 1e-5 + 9e-5 * random.uniform());
    for (int k = 0; k < 2 && i > 0; ++k) {
      const std::size_t back = 1 + random.below(std::min(i, options.window));
      builder.add_input(op, tensors[i - back]);
    }
    tensors.push_back(builder.add_output(op, {.bytes = random.between(1, 1'000'000)}));
    builder.set_temp_bytes(op, random.between(0, 1'000'000));
  }
  std::vector<Device> devices(options.devices);
  std::vector<Link> links;
  for (std::uint32_t d = 0; d < options.devices; ++d) {
    devices[d].name = "gpu:" + std::to_string(d);
    devices[d].kind = "gpu";
    for (std::uint32_t e = 0; e < d; ++e) {
      links.push_back({.from = e, .to = d, .bandwidth = 1e10, .latency_seconds = 1e-5});
    }
  }
  return Problem(std::move(builder).build(), Cluster("bench", devices, {}, links));
}

std::vector<Plan> random_placements(const Problem& problem, std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<Plan> plans(count);
  for (Plan& plan : plans) {
    for (std::size_t i = 0; i < problem.op_count(); ++i) {
      plan.placement.emplace_back(random.below(problem.device_count()));
    }
  }
  return plans;
}

}  // namespace berth
