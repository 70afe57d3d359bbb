#include "place/tiny_problems.h"

#include <fmt/format.h>

#include <map>
#include <stdexcept>

#include "base/random.h"

namespace berth::place::fixtures {
namespace {

std::string gpu_name(std::size_t index) { return fmt::format("gpu:{}", index); }

std::vector<TinyOp> chain(std::size_t length) {
  std::vector<TinyOp> ops;
  for (std::size_t i = 0; i < length; ++i) {
    TinyOp op{.name = fmt::format("op{}", i)};
    if (i > 0) op.inputs = {fmt::format("op{}", i - 1)};
    ops.push_back(op);
  }
  return ops;
}

std::vector<TinyOp> wide(std::size_t branches) {
  std::vector<TinyOp> ops = {{.name = "fork"}};
  TinyOp join{.name = "join"};
  for (std::size_t i = 0; i < branches; ++i) {
    ops.push_back({.name = fmt::format("branch{}", i), .inputs = {"fork"}});
    join.inputs.push_back(ops.back().name);
  }
  ops.push_back(join);
  return ops;
}

std::vector<TinyOp> with_params(std::vector<TinyOp> ops, std::int64_t bytes) {
  for (TinyOp& op : ops) op.param_bytes = bytes;
  return ops;
}

Device device(std::string name, std::string kind, std::int64_t bytes = 1'000'000'000) {
  Device device;
  device.name = std::move(name);
  device.kind = std::move(kind);
  device.memory_bytes = bytes;
  return device;
}

// Devices in a row, each linked to the next only: no route beyond the neighbour.
Cluster row(std::size_t gpus) {
  std::vector<Device> devices;
  std::vector<Link> links;
  for (std::uint32_t i = 0; i < gpus; ++i) {
    devices.push_back(device(gpu_name(i), "gpu"));
    if (i > 0) links.push_back({.from = i - 1, .to = i, .bandwidth = 1e9});
  }
  return Cluster("row", std::move(devices), {}, std::move(links));
}

// GPUs that reach the CPU but not one another.
Cluster star(std::uint32_t gpus) {
  std::vector<Device> devices = {device("cpu:0", "cpu")};
  std::vector<Link> links;
  for (std::uint32_t i = 0; i < gpus; ++i) {
    devices.push_back(device(gpu_name(i), "gpu"));
    links.push_back({.from = 0, .to = i + 1, .bandwidth = 1e9});
  }
  return Cluster("star", std::move(devices), {}, std::move(links));
}

// Two pairs of GPUs with no link between the pairs.
Cluster islands() {
  std::vector<Device> devices;
  for (std::size_t i = 0; i < 4; ++i) devices.push_back(device(gpu_name(i), "gpu"));
  return Cluster("islands", std::move(devices), {},
                 {{.from = 0, .to = 1, .bandwidth = 1e9}, {.from = 2, .to = 3, .bandwidth = 1e9}});
}

Cluster unequal() {
  std::vector<Device> devices = {device("cpu:0", "cpu"), device("big", "gpu"),
                                 device("small", "gpu")};
  devices[1].model = "B";
  devices[1].memory_bytes = 4000;
  devices[2].model = "S";
  devices[2].memory_bytes = 2000;
  std::vector<Link> links;
  for (std::uint32_t i = 0; i < 3; ++i) links.push_back({.from = i, .to = 3, .bandwidth = 1e9});
  return Cluster("unequal", std::move(devices), {"switch"}, std::move(links));
}

Graph unequal_graph() {
  GraphBuilder builder("unequal");
  TensorRef last;
  for (std::size_t i = 0; i < 6; ++i) {
    const OpId op = builder.add_op(fmt::format("op{}", i), "Op");
    builder.add_seconds(op, "cpu", 1e-2);
    builder.add_seconds(op, "B", 1e-3);
    builder.add_seconds(op, "S", 3e-3);
    builder.set_param_bytes(op, 500);
    if (i > 0) builder.add_input(op, last);
    last = builder.add_output(op, {.bytes = 100});
  }
  return std::move(builder).build();
}

// A weight that lives in its op's parameters, a view of it, an in-place update, two outputs of one
// op, order without data and an output that is kept.
Graph memory_features() {
  GraphBuilder builder("memory features");
  const auto op = [&](const char* name, double seconds) {
    const OpId added = builder.add_op(name, "Op");
    builder.add_seconds(added, "cpu", 10 * seconds);
    builder.add_seconds(added, "gpu", seconds);
    return added;
  };
  const OpId weight = op("weight", 0);
  builder.set_param_bytes(weight, 5000);
  const TensorRef value = builder.add_output(weight, {.bytes = 5000, .resident = true});
  const OpId view = op("view", 0);
  builder.add_input(view, value);
  const TensorRef seen = builder.add_output(view, {.bytes = 5000, .alias = 0});
  const OpId split = op("split", 1e-3);
  builder.set_temp_bytes(split, 700);
  builder.add_input(split, seen);
  const TensorRef left = builder.add_output(split, {.bytes = 2500});
  const TensorRef right = builder.add_output(split, {.bytes = 2500});
  const OpId update = op("update", 2e-3);
  builder.add_input(update, left);
  const TensorRef updated = builder.add_output(update, {.bytes = 2500, .alias = 0});
  const OpId other = op("other", 2e-3);
  builder.add_input(other, right);
  builder.add_after(other, view);
  builder.add_output(other, {.bytes = 0});
  builder.add_graph_output(updated);
  return std::move(builder).build();
}

class Collection {
 public:
  void add(std::string name, Graph graph, Cluster cluster, const Constraints& constraints = {}) {
    problems_.push_back({std::move(name), std::make_shared<const Problem>(
                                              std::move(graph), std::move(cluster), constraints)});
  }
  void add(std::string name, const std::vector<TinyOp>& ops, Cluster cluster,
           const Constraints& constraints = {}) {
    Graph graph = tiny_graph(name, ops);
    add(std::move(name), std::move(graph), std::move(cluster), constraints);
  }
  void mark_infeasible() { problems_.back().has_feasible_plan = false; }

  std::vector<TinyProblem> take() && { return std::move(problems_); }

 private:
  std::vector<TinyProblem> problems_;
};

void add_shapes(Collection& all) {
  all.add("empty", std::vector<TinyOp>(), tiny_cluster());
  all.add("one op", chain(1), tiny_cluster());
  all.add("chain", chain(8), tiny_cluster());
  all.add("diamond", wide(2), tiny_cluster());
  all.add("wide", wide(9), tiny_cluster({.gpus = 4}));
  std::vector<TinyOp> two = chain(4);
  for (TinyOp op : chain(4)) {
    op.name.insert(0, "other_");
    for (std::string& input : op.inputs) input.insert(0, "other_");
    two.push_back(op);
  }
  all.add("two components", two, tiny_cluster());
  std::vector<TinyOp> free_ops = wide(4);
  for (TinyOp& op : free_ops) op.gpu_seconds = op.cpu_seconds = 0;
  all.add("zero cost", free_ops, tiny_cluster());
  all.add("more devices than ops", chain(3), tiny_cluster({.gpus = 9}));
  all.add("one device", wide(3), tiny_cluster({.gpus = 1, .cpu_bytes = 0}));
  all.add("no cpu", wide(3), tiny_cluster({.gpus = 2, .cpu_bytes = 0}));
  all.add("cpu only", wide(3), tiny_cluster({.gpus = 0}));
  all.add("slots", wide(6), tiny_cluster({.slots = 3}));
  all.add("layered", layered_graph(120, 1), tiny_cluster({.gpus = 4}));
  all.add("unequal devices", unequal_graph(), unequal());
  all.add("memory features", memory_features(), tiny_cluster());
}

void add_constraints(Collection& all) {
  std::vector<TinyOp> together = wide(6);
  together[1].colocate = together[3].colocate = together[7].colocate = "a";
  together[2].colocate = together[5].colocate = "b";
  all.add("colocation", together, tiny_cluster());

  Constraints pins;
  pins.pins = {{"op1", {"gpu:1"}}, {"op4", {"cpu"}}, {"op6", {"gpu:0", "gpu:1"}}};
  pins.colocated = {{"op2", "op7"}};
  all.add("pins", chain(8), tiny_cluster(), pins);

  std::vector<TinyOp> restricted = chain(8);
  restricted[0].devices = {"cpu"};
  restricted[3].devices = {"gpu"};
  restricted[5].devices = {"cpu:0", "gpu:1"};
  all.add("restricted ops", restricted, tiny_cluster());

  Constraints forbidden;
  forbidden.forbidden_devices = {"gpu:0"};
  all.add("forbidden device", wide(5), tiny_cluster(), forbidden);
}

void add_memory(Collection& all) {
  // Params of 3 ops a GPU, and room for little else.
  all.add("tight memory", with_params(chain(9), 100'000),
          tiny_cluster({.gpus = 3, .gpu_bytes = 305'000, .cpu_bytes = 0}));
  // Fits only with the CPU's help.
  all.add("spills to cpu", with_params(chain(6), 100'000),
          tiny_cluster({.gpus = 1, .gpu_bytes = 250'000, .cpu_bytes = 1'000'000}));
  all.add("infeasible memory", with_params(chain(6), 100'000),
          tiny_cluster({.gpus = 2, .gpu_bytes = 250'000, .cpu_bytes = 0}));
  all.mark_infeasible();
}

void add_missing_routes(Collection& all) {
  all.add("row", chain(8), row(4));
  all.add("star", wide(5), star(3));
  all.add("islands", wide(5), islands());
  // Only one way: op3 on gpu:1, since gpu:0 and gpu:2 do not meet.
  Constraints ends;
  ends.pins = {{"op2", {"gpu:0"}}, {"op4", {"gpu:2"}}};
  all.add("row with pinned ends", chain(7), row(3), ends);
  // Two GPU-only branches that only meet through the CPU.
  std::vector<TinyOp> meeting = wide(2);
  meeting[1].devices = {"gpu:0"};
  meeting[2].devices = {"gpu:1"};
  all.add("star with pins", meeting, star(2));
}

}  // namespace

Graph tiny_graph(std::string name, const std::vector<TinyOp>& ops) {
  GraphBuilder builder(std::move(name));
  std::map<std::string, TensorRef> outputs;
  for (const TinyOp& op : ops) {
    const OpId id = builder.add_op(op.name, "Op");
    builder.add_seconds(id, "cpu", op.cpu_seconds);
    builder.add_seconds(id, "gpu", op.gpu_seconds);
    builder.set_param_bytes(id, op.param_bytes);
    if (!op.devices.empty()) builder.set_devices(id, op.devices);
    if (!op.colocate.empty()) builder.set_colocation(id, op.colocate);
    for (const std::string& input : op.inputs) builder.add_input(id, outputs.at(input));
    outputs[op.name] = builder.add_output(id, {.bytes = op.output_bytes});
  }
  return std::move(builder).build();
}

Cluster tiny_cluster(const TinyCluster& shape) {
  std::vector<Device> devices;
  if (shape.cpu_bytes > 0) devices.push_back(device("cpu:0", "cpu", shape.cpu_bytes));
  for (std::size_t i = 0; i < shape.gpus; ++i) {
    devices.push_back(device(gpu_name(i), "gpu", shape.gpu_bytes));
  }
  for (Device& any : devices) any.slots = shape.slots;
  const auto hub = static_cast<std::uint32_t>(devices.size());
  std::vector<Link> links;
  for (std::uint32_t i = 0; i < hub; ++i) links.push_back({.from = i, .to = hub, .bandwidth = 1e9});
  return Cluster("tiny", std::move(devices), {"switch"}, std::move(links));
}

Graph layered_graph(std::size_t ops, std::uint64_t seed) {
  Random random(seed);
  GraphBuilder builder(fmt::format("layered{}", ops));
  std::vector<TensorRef> outputs;
  for (std::size_t i = 0; i < ops; ++i) {
    const OpId op = builder.add_op(fmt::format("op{}", i), "Op");
    const double seconds = 1e-5 * static_cast<double>(random.between(1, 100));
    builder.add_seconds(op, "cpu", 10 * seconds);
    builder.add_seconds(op, "gpu", seconds);
    builder.set_param_bytes(op, random.between(0, 10'000));
    const std::size_t window = std::min<std::size_t>(i, 20);
    std::size_t readings = window == 0 ? 0 : 1 + random.below(3);
    for (; readings > 0; --readings) {
      builder.add_input(op, outputs[i - 1 - random.below(window)]);
    }
    outputs.push_back(builder.add_output(op, {.bytes = random.between(0, 50'000)}));
  }
  return std::move(builder).build();
}

const std::vector<TinyProblem>& tiny_problems() {
  static const std::vector<TinyProblem> problems = [] {
    Collection all;
    add_shapes(all);
    add_constraints(all);
    add_memory(all);
    add_missing_routes(all);
    return std::move(all).take();
  }();
  return problems;
}

const Problem& tiny_problem(std::string_view name) {
  for (const TinyProblem& tiny : tiny_problems()) {
    if (tiny.name == name) return *tiny.problem;
  }
  throw std::out_of_range(fmt::format("no tiny problem is called {}", name));
}

}  // namespace berth::place::fixtures
