#include "place/proof/relaxation.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "bounds/assignment_dual.h"
#include "bounds/footprint.h"

namespace berth::place {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

template <class T>
void end_row(Rows<T>& rows) {
  rows.begins.push_back(static_cast<std::uint32_t>(rows.items.size()));
}

// Ops renumbered by topological order.
struct Numbering {
  explicit Numbering(const Graph& graph)
      : of_op(graph.op_count()), of_tensor(graph.tensor_count()) {
    for (const OpId op : graph.topological_order()) {
      of_op[op.index()] = next_op++;
      for (std::size_t k = 0; k < graph.output_count(op); ++k) {
        of_tensor[graph.output(op, k).index()] = next_tensor++;
      }
    }
  }
  std::vector<std::uint32_t> of_op, of_tensor;
  std::uint32_t next_op = 0;
  std::uint32_t next_tensor = 0;
};

void compile_ops(const Problem& problem, const Numbering& numbers, Relaxation& out) {
  const Graph& graph = problem.graph();
  out.inputs.begins = out.after.begins = out.later.begins = out.readers.begins = {0};
  for (const OpId op : graph.topological_order()) {
    out.index_of.push_back(static_cast<std::uint32_t>(op.index()));
    if (graph.predecessors(op).empty()) out.sources.push_back(numbers.of_op[op.index()]);
    out.group_of.push_back(static_cast<std::uint32_t>(problem.group(op).index()));
    for (std::size_t d = 0; d < out.devices; ++d) {
      out.costs.push_back(problem.seconds(op, DeviceId(d)));
    }
    std::vector<TensorId> read(graph.inputs(op).begin(), graph.inputs(op).end());
    // An op may read a tensor twice, but it is sent and waited for once.
    std::sort(read.begin(), read.end());
    read.erase(std::unique(read.begin(), read.end()), read.end());
    for (const TensorId tensor : read) {
      out.inputs.items.push_back(
          {numbers.of_tensor[tensor.index()], numbers.of_op[graph.producer(tensor).index()]});
    }
    for (const OpId earlier : graph.after(op)) {
      out.after.items.push_back(numbers.of_op[earlier.index()]);
    }
    out.output_begin.push_back(static_cast<std::uint32_t>(out.producer.size()));
    for (std::size_t k = 0; k < graph.output_count(op); ++k) {
      for (const OpId reader : graph.consumers(graph.output(op, k))) {
        out.readers.items.push_back(numbers.of_op[reader.index()]);
      }
      end_row(out.readers);
      out.producer.push_back(numbers.of_op[op.index()]);
    }
    end_row(out.inputs);
    end_row(out.after);
  }
  out.output_begin.push_back(static_cast<std::uint32_t>(out.producer.size()));
  std::vector<std::vector<std::uint32_t>> later(out.ops);
  for (std::uint32_t op = 0; op < out.ops; ++op) {
    for (const std::uint32_t earlier : out.after.row(op)) later[earlier].push_back(op);
  }
  for (const std::vector<std::uint32_t>& row : later) {
    out.later.items.insert(out.later.items.end(), row.begin(), row.end());
    end_row(out.later);
  }
  std::vector<std::vector<std::uint32_t>> members(out.groups);
  for (std::uint32_t op = 0; op < out.ops; ++op) members[out.group_of[op]].push_back(op);
  out.members.begins = {0};
  for (const std::vector<std::uint32_t>& row : members) {
    out.members.items.insert(out.members.items.end(), row.begin(), row.end());
    end_row(out.members);
  }
}

void compile_reachability(Relaxation& out) {
  // The table is quadratic in the ops. Without it the rules that need it are left out; the others
  // still hold.
  if (out.ops > Relaxation::kMostReachability) return;
  out.words = out.ops / 64 + 1;
  out.ancestors.assign(out.ops * out.words, 0);
  out.descendants.assign(out.ops * out.words, 0);
  for (std::size_t op = 0; op < out.ops; ++op) {
    const auto add = [&](std::size_t earlier) {
      for (std::size_t w = 0; w < out.words; ++w) {
        out.ancestors[op * out.words + w] |= out.ancestors[earlier * out.words + w];
      }
      out.ancestors[op * out.words + earlier / 64] |= std::uint64_t{1} << earlier % 64;
    };
    for (const Relaxation::Input& input : out.inputs.row(op)) add(input.producer);
    for (const std::uint32_t earlier : out.after.row(op)) add(earlier);
  }
  for (std::size_t op = 0; op < out.ops; ++op) {
    for (std::size_t earlier = 0; earlier < op; ++earlier) {
      if ((out.before(op)[earlier / 64] >> earlier % 64 & 1) == 0) continue;
      out.descendants[earlier * out.words + op / 64] |= std::uint64_t{1} << op % 64;
    }
  }
}

void compile_routes(const Problem& problem, Relaxation& out) {
  const Cluster& cluster = problem.cluster();
  std::vector<std::pair<double, double>> sorts = {{0, kNever}};  // latency, bandwidth
  out.channels.begins = {0};
  for (std::size_t from = 0; from < out.devices; ++from) {
    for (std::size_t to = 0; to < out.devices; ++to) {
      std::pair<double, double> sort = sorts.front();
      if (from != to) {
        const Route route = cluster.route(DeviceId(from), DeviceId(to));
        sort = route.exists() ? std::pair(route.latency_seconds, route.bandwidth)
                              : std::pair(kNever, 1.0);
        out.channels.items.insert(out.channels.items.end(), route.channels.begin(),
                                  route.channels.end());
      }
      end_row(out.channels);
      // A route that takes no time is not the same sort as staying on the device: it needs a
      // transfer.
      const auto at = std::find(sorts.begin() + (from == to ? 0 : 1), sorts.end(), sort);
      out.route_sort.push_back(static_cast<std::uint16_t>(at - sorts.begin()));
      if (at == sorts.end()) sorts.push_back(sort);
    }
  }
  out.sorts = sorts.size();
  for (const auto& sort : sorts) out.latencies.push_back(sort.first);
  for (const OpId op : problem.graph().topological_order()) {
    for (std::size_t k = 0; k < problem.graph().output_count(op); ++k) {
      const auto bytes = static_cast<double>(problem.graph().bytes(problem.graph().output(op, k)));
      for (const auto& [latency, bandwidth] : sorts) {
        // Also kept without the latency, because the prefix must add in the simulator's order.
        // Bounds use the sum.
        out.on_wire.push_back(bytes / bandwidth);
        out.transfers.push_back(latency + bytes / bandwidth);
      }
    }
  }
}

void compile_memory(const Problem& problem, Relaxation& out) {
  const bounds::Footprints footprints = bounds::measure_footprints(problem, {});
  out.memory.resize(out.groups);
  out.domains.resize(out.groups, 0);
  for (std::size_t d = 0; d < out.devices; ++d) {
    out.usable.push_back(problem.usable_bytes(DeviceId(d)));
    out.slots.push_back(static_cast<double>(problem.cluster().device(DeviceId(d)).slots));
  }
  for (const OpId op : problem.graph().topological_order()) {
    out.running.push_back(footprints.running_bytes[op.index()]);
    for (std::size_t k = 0; k < problem.graph().output_count(op); ++k) {
      const TensorId tensor = problem.graph().output(op, k);
      const bool own = bounds::has_own_memory(problem.graph(), tensor);
      out.own_bytes.push_back(own ? problem.graph().bytes(tensor) : 0);
      out.kept.push_back(problem.graph().is_graph_output(tensor) ? 1 : 0);
    }
  }
  for (std::size_t g = 0; g < out.groups; ++g) {
    Relaxation::Memory& memory = out.memory[g];
    for (const OpId op : problem.members(GroupId(g))) {
      memory.params = bounds::add_bytes(memory.params, problem.graph().param_bytes(op));
    }
    memory.resident = footprints.resident_bytes[g];
    // What the group holds besides its parameters at its worst instant. On a device only the
    // largest of these counts, as the worst instants of two groups may differ.
    memory.passing = footprints.needed_bytes[g] - memory.params;
    for (const DeviceId device : problem.allowed_devices(GroupId(g))) {
      if (footprints.fits(GroupId(g), out.usable[device.index()])) {
        out.domains[g] |= only(device.index());
      }
    }
  }
}

void price_slots(Relaxation& out) {
  bounds::AssignmentProgram program;
  program.slots = out.slots;
  // Prices come from work alone: memory has its own rule (capacity.h). Any prices are valid as long
  // as they add up to 1.
  program.capacity.assign(out.devices, kNever);
  for (std::size_t g = 0; g < out.groups; ++g) {
    if (out.domains[g] == 0) continue;
    for (std::size_t d = 0; d < out.devices; ++d) {
      double seconds = (out.domains[g] & only(d)) != 0 ? 0 : kNever;
      if (seconds == 0) {
        for (const std::uint32_t op : out.members.row(g)) seconds += out.cost(op, d);
      }
      program.seconds.push_back(seconds);
    }
    program.bytes.push_back(0);
  }
  out.slot_prices.assign(out.devices, 0);
  if (program.items() == 0) return;
  out.slot_prices = bounds::maximise_dual(program).slot_prices;
  // Normalised, as rounding or a stopped search may leave the sum off by a little.
  double sum = 0;
  for (std::size_t d = 0; d < out.devices; ++d) sum += out.slots[d] * out.slot_prices[d];
  for (double& price : out.slot_prices) price = sum > 0 ? price / sum : 0;
}

constexpr std::size_t kMostDevices = 64;  // a set of them is a word
constexpr std::size_t kMostEntries = 40'000'000;

}  // namespace

bool Relaxation::suits(const Problem& problem) {
  const std::size_t rows = problem.op_count() + problem.graph().tensor_count();
  return problem.device_count() <= kMostDevices && rows * problem.device_count() <= kMostEntries;
}

Relaxation::Relaxation(const Problem& source)
    : problem(source),
      ops(source.op_count()),
      devices(source.device_count()),
      groups(source.group_count()),
      tensors(source.graph().tensor_count()),
      // No sum has more terms than this, here or in the simulator.
      rounding(0x1.0p-50 * static_cast<double>(16 + ops + tensors * devices)) {
  const Numbering numbers(source.graph());
  compile_ops(source, numbers, *this);
  compile_reachability(*this);
  compile_routes(source, *this);
  compile_memory(source, *this);
  price_slots(*this);
}

}  // namespace berth::place
