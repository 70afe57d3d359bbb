#include "support/random_problem.h"

#include <algorithm>
#include <string>

#include "graph/graph_builder.h"

namespace berth {
namespace {

const char* const kTypes[] = {"Conv", "MatMul", "Relu", "Add", "Reshape", "LSTM"};

double random_seconds(Random& random, const RandomProblemOptions& options, bool integers) {
  if (options.zero_costs && random.chance(0.2)) return 0;
  if (integers) return static_cast<double>(random.between(1, 6));
  return random.uniform() * 1e-3;
}

std::int64_t random_bytes(Random& random, bool integers) {
  if (random.chance(0.1)) return 0;
  return integers ? 1000 * random.between(0, 5) : random.between(0, 2'000'000);
}

}  // namespace

Graph random_graph(Random& random, const RandomProblemOptions& options, bool integers) {
  GraphBuilder builder("random");
  const std::int64_t ops = random.between(1, options.max_ops);
  std::vector<TensorRef> tensors;
  // Names are dealt so that op indices are not in topological order: edges are added at the end.
  struct Pending {
    OpId op;
    TensorRef tensor;
  };
  std::vector<Pending> inputs;
  for (std::int64_t i = 0; i < ops; ++i) {
    const OpId op = builder.add_op("op" + std::to_string(i), kTypes[random.below(6)]);
    builder.add_seconds(op, "cpu", random_seconds(random, options, integers));
    builder.add_seconds(op, "gpu", random_seconds(random, options, integers));
    if (random.chance(0.2)) builder.set_param_bytes(op, random_bytes(random, integers));
    if (random.chance(0.2)) builder.set_temp_bytes(op, random_bytes(random, integers));
    if (options.colocation && random.chance(0.3)) {
      builder.set_colocation(op, "label" + std::to_string(random.below(4)));
    }
    std::uint32_t input_count = 0;
    if (!tensors.empty()) {
      for (std::uint64_t k = random.below(4); k > 0; --k) {
        const std::size_t near = std::min<std::size_t>(tensors.size(), 12);
        inputs.push_back({op, tensors[tensors.size() - 1 - random.below(near)]});
        ++input_count;
      }
    }
    const std::int64_t outputs = random.chance(0.1) ? 0 : random.between(1, 2);
    for (std::int64_t k = 0; k < outputs; ++k) {
      OutputSpec output;
      output.bytes = random_bytes(random, integers);
      if (options.aliases && random.chance(0.15)) {
        output.resident = true;
      } else if (options.aliases && input_count > 0 && random.chance(0.25)) {
        output.alias = static_cast<std::uint32_t>(random.below(input_count));
      }
      tensors.push_back(builder.add_output(op, output));
    }
    if (i > 0 && random.chance(0.15)) {
      builder.add_after(op, OpId(random.below(static_cast<std::uint64_t>(i))));
    }
  }
  for (const Pending& input : inputs) builder.add_input(input.op, input.tensor);
  for (const TensorRef& tensor : tensors) {
    if (random.chance(0.1)) builder.add_graph_output(tensor);
  }
  return std::move(builder).build();
}

Cluster random_cluster(Random& random, const RandomProblemOptions& options, bool integers) {
  const std::int64_t count = random.between(1, options.max_devices);
  std::vector<Device> devices;
  for (std::int64_t d = 0; d < count; ++d) {
    Device device;
    device.kind = d == 0 ? "cpu" : "gpu";
    device.name = device.kind + ":" + std::to_string(d == 0 ? 0 : d - 1);
    device.memory_bytes = random.chance(0.5) ? random.between(0, 50'000) : kUnlimitedBytes;
    device.slots = options.slots && random.chance(0.3) ? random.between(2, 3) : 1;
    device.launch_seconds = integers ? 1 : 1e-5;
    device.bandwidth = integers ? 1000 : 1e10;
    devices.push_back(device);
  }
  const auto random_link = [&](std::uint32_t from, std::uint32_t to) {
    Link link{.from = from, .to = to};
    link.bandwidth =
        integers ? 1000.0 * static_cast<double>(1 + random.below(3)) : 1e9 * (1 + random.uniform());
    link.latency_seconds =
        integers ? static_cast<double>(random.below(2)) : 1e-5 * random.uniform();
    link.duplex = random.chance(0.7);
    return link;
  };
  std::vector<Link> links;
  std::vector<std::string> switches;
  const auto vertex = [](std::int64_t index) { return static_cast<std::uint32_t>(index); };
  if (random.chance(0.5)) {  // a mesh
    for (std::int64_t a = 0; a < count; ++a) {
      for (std::int64_t b = a + 1; b < count; ++b)
        links.push_back(random_link(vertex(a), vertex(b)));
    }
  } else {  // two switches
    switches = {"sw0", "sw1"};
    for (std::int64_t d = 0; d < count; ++d) {
      links.push_back(
          random_link(vertex(d), vertex(count + static_cast<std::int64_t>(random.below(2)))));
    }
    links.push_back(random_link(vertex(count), vertex(count + 1)));
  }
  return Cluster("random", devices, switches, links);
}

Plan random_plan(Random& random, const Problem& problem, bool priorities, bool fusion) {
  Plan plan;
  plan.placement.resize(problem.op_count());
  for (std::size_t g = 0; g < problem.group_count(); ++g) {
    const auto allowed = problem.allowed_devices(GroupId(g));
    const DeviceId device = allowed[random.below(allowed.size())];
    for (const OpId op : problem.members(GroupId(g))) plan.placement[op.index()] = device;
  }
  if (priorities && random.chance(0.5)) {
    for (std::size_t i = 0; i < problem.op_count(); ++i) {
      plan.priority.push_back(static_cast<double>(random.between(-2, 2)));
    }
  }
  if (!fusion || random.chance(0.5)) return plan;
  // Grows groups along edges within a device, keeping what stays valid.
  std::vector<std::uint8_t> taken(problem.op_count(), 0);
  for (std::size_t i = 0; i < problem.op_count(); ++i) {
    if (taken[i] || !random.chance(0.5)) continue;
    Plan attempt = plan;
    attempt.fused.push_back({OpId(i)});
    for (const OpId next : problem.graph().successors(OpId(i))) {
      if (taken[next.index()] || attempt.fused.back().size() > 3) continue;
      Plan larger = attempt;
      larger.fused.back().push_back(next);
      std::sort(larger.fused.back().begin(), larger.fused.back().end());
      if (violations(problem, larger).empty()) attempt = larger;
    }
    if (attempt.fused.back().size() < 2) continue;
    plan = attempt;
    for (const OpId op : plan.fused.back()) taken[op.index()] = 1;
  }
  std::sort(plan.fused.begin(), plan.fused.end());
  return plan;
}

}  // namespace berth
