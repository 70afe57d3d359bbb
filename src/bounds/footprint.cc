#include "bounds/footprint.h"

#include <algorithm>
#include <limits>

namespace berth::bounds {
namespace {

// With more devices than this the longest possible step is not computed (it looks at all pairs),
// and no op counts as lasting.
constexpr std::size_t kMostDevices = 1024;

// No step can be longer: at every instant an op runs or a transfer is under way.
double longest_step(const Problem& problem) {
  const std::size_t devices = problem.device_count();
  if (devices > kMostDevices) return std::numeric_limits<double>::infinity();
  double latency = 0;
  double seconds_per_byte = 0;
  for (std::size_t from = 0; from < devices; ++from) {
    for (std::size_t to = 0; to < devices; ++to) {
      const Route route = problem.cluster().route(DeviceId(from), DeviceId(to));
      if (!route.exists()) continue;
      latency = std::max(latency, route.latency_seconds);
      seconds_per_byte = std::max(seconds_per_byte, 1 / route.bandwidth);
    }
  }
  const Graph& graph = problem.graph();
  double total = 0;
  for (std::size_t i = 0; i < problem.op_count(); ++i) {
    double dearest = 0;
    for (std::size_t c = 0; c < problem.class_count(); ++c) {
      const double seconds = problem.class_seconds(OpId(i), c);
      if (seconds != Problem::kImpossible) dearest = std::max(dearest, seconds);
    }
    total += dearest;
  }
  for (std::size_t i = 0; i < graph.tensor_count(); ++i) {
    // A tensor is sent once per device that reads it, and never to its own.
    const std::size_t copies = std::min(graph.consumers(TensorId(i)).size(), devices - 1);
    total += static_cast<double>(copies) *
             (latency + static_cast<double>(graph.bytes(TensorId(i))) * seconds_per_byte);
  }
  return total;
}

// By op: workspace, outputs and inputs while it runs.
std::vector<std::int64_t> running_bytes(const Graph& graph) {
  std::vector<std::int64_t> bytes(graph.op_count());
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = graph.temp_bytes(OpId(i));
  for (std::size_t i = 0; i < graph.tensor_count(); ++i) {
    const TensorId tensor(i);
    if (!has_own_memory(graph, tensor)) continue;
    const auto add_to = [&](OpId op) {
      bytes[op.index()] = add_bytes(bytes[op.index()], graph.bytes(tensor));
    };
    add_to(graph.producer(tensor));
    for (const OpId consumer : graph.consumers(tensor)) add_to(consumer);
  }
  return bytes;
}

}  // namespace

bool has_own_memory(const Graph& graph, TensorId tensor) {
  return !graph.resident(tensor) && graph.alias(tensor) == Graph::kNone;
}

std::int64_t add_bytes(std::int64_t left, std::int64_t right) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(left, right, &sum) ? kUnlimitedBytes : sum;
}

Footprints measure_footprints(const Problem& problem, Tasks tasks) {
  const Graph& graph = problem.graph();
  Footprints footprints = no_footprints(problem);
  std::vector<std::int64_t> params(problem.group_count(), 0);
  for (std::size_t i = 0; i < problem.op_count(); ++i) {
    const std::size_t group = problem.group(OpId(i)).index();
    params[group] = add_bytes(params[group], graph.param_bytes(OpId(i)));
  }
  footprints.resident_bytes = params;
  for (const TensorId tensor : graph.graph_outputs()) {
    if (!has_own_memory(graph, tensor)) continue;
    std::int64_t& bytes = footprints.resident_bytes[problem.group(graph.producer(tensor)).index()];
    bytes = add_bytes(bytes, graph.bytes(tensor));
  }
  footprints.needed_bytes = footprints.resident_bytes;

  // With fusion any of these tensors may stay inside a group and take no memory, so only what stays
  // to the end of the step counts.
  if (!tasks.fusion) {
    // Twice the distance of neighbouring doubles at the end of the longest step.
    const double least_lasting = longest_step(problem) * 0x1.0p-51;
    const std::vector<std::int64_t> running = running_bytes(graph);
    for (std::size_t i = 0; i < problem.op_count(); ++i) {
      const OpId op(i);
      const double seconds = problem.fastest_seconds(op);
      // The level of memory is taken at the end of an instant. An op that starts and ends at one,
      // because it costs nothing or too little to change the clock, is in no level.
      if (!(seconds > 0 && seconds >= least_lasting)) continue;
      const std::size_t group = problem.group(op).index();
      footprints.running_bytes[i] = running[i];
      const std::int64_t needed = add_bytes(params[group], running[i]);
      if (needed <= footprints.needed_bytes[group]) continue;
      footprints.needed_bytes[group] = needed;
      footprints.neediest_op[group] = op;
    }
  }
  for (std::size_t g = 0; g < problem.group_count(); ++g) {
    footprints.total_resident_bytes =
        add_bytes(footprints.total_resident_bytes, footprints.resident_bytes[g]);
    footprints.most_needed_bytes =
        std::max(footprints.most_needed_bytes, footprints.needed_bytes[g]);
  }
  return footprints;
}

Footprints no_footprints(const Problem& problem) {
  Footprints footprints;
  footprints.resident_bytes.assign(problem.group_count(), 0);
  footprints.needed_bytes.assign(problem.group_count(), 0);
  footprints.neediest_op.assign(problem.group_count(), OpId::none());
  footprints.running_bytes.assign(problem.op_count(), 0);
  return footprints;
}

}  // namespace berth::bounds
