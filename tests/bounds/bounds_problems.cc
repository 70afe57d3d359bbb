#include "bounds/bounds_problems.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "graph/graph_builder.h"

namespace berth::bounds {
namespace {

const char* const kTypes[] = {"MatMul", "Conv", "Relu", "Add", "Softmax", "Reshape"};
const char* const kKinds[] = {"cpu", "gpu"};

Graph graph_of_any_form(Random& random, const Shape& shape) {
  GraphBuilder builder("random");
  const bool integers = random.chance(0.3);
  const auto seconds = [&] {
    if (random.chance(0.15)) return 0.0;
    return integers ? static_cast<double>(random.between(1, 5)) : random.uniform();
  };
  std::vector<TensorRef> tensors;
  const std::int64_t ops = random.between(1, shape.most_ops);
  for (std::int64_t i = 0; i < ops; ++i) {
    const OpId op = builder.add_op("op" + std::to_string(i), kTypes[random.below(6)]);
    const bool given =
        shape.costs == Costs::given || (shape.costs == Costs::mixed && random.chance(0.4));
    if (given) {
      for (const char* kind : kKinds) builder.add_seconds(op, kind, seconds());
      if (random.chance(0.1)) builder.add_seconds(op, "gpu1", seconds());
    }
    builder.set_flops(op, random.chance(0.2) ? 0.0 : 100 * random.uniform());
    if (random.chance(0.4)) builder.set_param_bytes(op, random.between(0, 60));
    if (random.chance(0.3)) builder.set_temp_bytes(op, random.between(0, 60));
    if (random.chance(0.3)) builder.set_colocation(op, "label" + std::to_string(random.below(2)));
    std::uint32_t inputs = 0;
    for (std::uint64_t k = random.below(3); k > 0 && !tensors.empty(); --k, ++inputs) {
      builder.add_input(
          op, tensors[tensors.size() - 1 - random.below(std::min<std::size_t>(tensors.size(), 4))]);
    }
    if (i > 0 && random.chance(0.15)) {
      builder.add_after(op, OpId(random.below(static_cast<std::uint64_t>(i))));
    }
    for (std::uint64_t k = random.chance(0.2) ? 2 : 1; k > 0; --k) {
      OutputSpec output{.bytes = random.between(0, 50)};
      if (random.chance(0.1)) {
        output.resident = true;
      } else if (inputs > 0 && random.chance(0.15)) {
        output.alias = static_cast<std::uint32_t>(random.below(inputs));
      }
      const TensorRef tensor = builder.add_output(op, output);
      tensors.push_back(tensor);
      if (random.chance(0.2)) builder.add_graph_output(tensor);
    }
  }
  return std::move(builder).build();
}

// Draws costs, at times in small integers so that many things happen at one instant.
class CostDraw {
 public:
  explicit CostDraw(Random& random) : random_(random), integers_(random.chance(0.5)) {}
  void operator()(GraphBuilder& builder, OpId op) {
    for (const char* kind : kKinds) builder.add_seconds(op, kind, seconds());
  }
  std::int64_t bytes() { return integers_ ? 50 * random_.between(0, 3) : random_.between(0, 150); }

 private:
  double seconds() {
    if (random_.chance(0.15)) return 0.0;
    return integers_ ? static_cast<double>(random_.between(1, 4)) : random_.uniform();
  }
  Random& random_;
  bool integers_;
};

// Forward ops in a loose chain, then backwards for each op one or two gradients that read the
// gradient of its output and what it read itself. Ops have their indices in random order.
Graph training_graph(Random& random, const Shape& shape) {
  GraphBuilder builder("training");
  CostDraw draw(random);
  const auto forward = static_cast<std::size_t>(random.between(2, shape.most_ops));
  std::vector<std::string> names;
  for (std::size_t i = 0; i < forward; ++i) {
    for (const char* part : {"f", "g", "h"}) names.push_back(part + std::to_string(i));
  }
  if (random.chance(0.6)) {
    for (std::size_t i = names.size(); i-- > 1;) std::swap(names[i], names[random.below(i + 1)]);
  }
  for (const std::string& name : names) {
    const OpId op = builder.add_op(name, "MatMul");
    draw(builder, op);
    builder.set_param_bytes(op, random.chance(0.2) ? random.between(0, 30) : 0);
    if (!random.chance(0.1)) builder.set_colocation(op, name.substr(1));
    builder.add_output(op, {.bytes = draw.bytes()});
  }
  const auto tensor = [&](const std::string& name) { return TensorRef{*builder.find_op(name)}; };
  std::vector<std::string> read_by(forward);
  for (std::size_t i = 0; i < forward; ++i) {
    const OpId op = *builder.find_op("f" + std::to_string(i));
    if (i == 0) continue;
    read_by[i] = "f" + std::to_string(random.chance(0.8) ? i - 1 : random.below(i));
    builder.add_input(op, tensor(read_by[i]));
    if (random.chance(0.2)) builder.add_input(op, tensor("f" + std::to_string(random.below(i))));
  }
  for (std::size_t i = forward; i-- > 0;) {
    const std::string above =
        i + 1 == forward ? "f" + std::to_string(i) : "g" + std::to_string(i + 1);
    for (const char* part : {"g", "h"}) {
      const OpId op = *builder.find_op(part + std::to_string(i));
      builder.add_input(op, tensor(above));
      if (!read_by[i].empty() && random.chance(0.7)) builder.add_input(op, tensor(read_by[i]));
      if (random.chance(0.1)) builder.add_after(op, *builder.find_op("f" + std::to_string(i)));
    }
  }
  return std::move(builder).build();
}

// Each rung: some branches of one or two ops behind one op, and an op that reads them all.
Graph ladder_graph(Random& random, const Shape& shape) {
  GraphBuilder builder("ladder");
  CostDraw draw(random);
  std::vector<TensorRef> ends;
  for (std::int64_t left = random.between(3, shape.most_ops); left > 0;) {
    const auto add = [&](std::span<const TensorRef> inputs) {
      const OpId op = builder.add_op("op" + std::to_string(left--), "Add");
      draw(builder, op);
      if (random.chance(0.2)) builder.set_colocation(op, "label" + std::to_string(random.below(2)));
      for (const TensorRef input : inputs) builder.add_input(op, input);
      return builder.add_output(op, {.bytes = draw.bytes()});
    };
    const std::vector<TensorRef> top = {add(ends)};
    ends.clear();
    for (std::int64_t branch = random.between(1, 3); branch > 0 && left > 0; --branch) {
      ends.push_back(add(top));
      if (left > 0 && random.chance(0.3)) ends.back() = add(std::vector<TensorRef>{ends.back()});
    }
    if (ends.empty() || random.chance(0.2)) ends.push_back(top.front());
  }
  return std::move(builder).build();
}

Cluster random_cluster(Random& random, const Shape& shape) {
  const std::int64_t count = random.between(1, shape.most_devices);
  const bool alike = random.chance(0.4);
  std::vector<Device> devices;
  for (std::int64_t d = 0; d < count; ++d) {
    Device device;
    device.kind = kKinds[random.below(2)];
    device.flops = {{DType::unknown, 100 * (1 + random.uniform())}};
    device.bandwidth = random.chance(0.3) ? device.bandwidth : 100 * (1 + 3 * random.uniform());
    device.launch_seconds = random.chance(0.3) ? 0.0 : 0.2 * random.uniform();
    device.slots = random.chance(0.2) ? 2 : 1;
    if (shape.tight_memory) device.memory_bytes = random.between(40, 250);
    if (alike && d > 0) device = devices.front();
    device.name = "gpu" + std::to_string(d);
    devices.push_back(device);
  }
  std::vector<Link> links;
  const double bandwidth = 40 * (1 + random.uniform());
  for (std::int64_t a = 0; a < count; ++a) {
    for (std::int64_t b = a + 1; b < count; ++b) {
      if (random.chance(0.12)) continue;
      Link link{.from = static_cast<std::uint32_t>(a), .to = static_cast<std::uint32_t>(b)};
      link.bandwidth = alike ? bandwidth : 20 + 200 * random.uniform();
      link.latency_seconds = alike ? 0.1 : 0.3 * random.uniform();
      link.duplex = random.chance(0.7);
      links.push_back(link);
    }
  }
  return Cluster("random", devices, {}, links);
}

}  // namespace

// Problem refuses colocated ops without a common device, so rules come as pins on single ops.
Problem random_problem(Random& random, const Shape& shape) {
  Graph graph = shape.form == Form::training ? training_graph(random, shape)
                : shape.form == Form::ladder ? ladder_graph(random, shape)
                                             : graph_of_any_form(random, shape);
  Cluster cluster = random_cluster(random, shape);
  Constraints constraints;
  if (random.chance(0.4) && cluster.device_count() > 1) {
    const OpId op(random.below(graph.op_count()));
    constraints.pins.push_back({std::string(graph.op_name(op)), {"gpu0"}});
    if (random.chance(0.5)) constraints.pins.back().devices.emplace_back("gpu1");
  }
  return Problem(std::move(graph), std::move(cluster), constraints);
}

}  // namespace berth::bounds
