#include "report/outcome_json.h"

#include <algorithm>

#include "report/remedies.h"
#include "report/summary.h"

namespace berth::report {
namespace {

constexpr std::size_t kMostAlive = 10;

template <class Value>
void write_by_device(JsonWriter& json, const char* key, const Problem& problem,
                     const Value& value_of) {
  json.key(key).begin_object();
  for (std::size_t d = 0; d < problem.device_count(); ++d) {
    json.field(problem.cluster().device(DeviceId(d)).name, value_of(d));
  }
  json.end_object();
}

void write_device_memory(JsonWriter& json, const Analysis& analysis, std::size_t device) {
  const Timeline::DeviceMemory& memory = analysis.timeline.memory[device];
  const std::int64_t usable = analysis.problem->usable_bytes(DeviceId(device));
  json.begin_object();
  json.field("param_bytes", memory.param_bytes);
  json.field("output_bytes", memory.peak_output_bytes);
  json.field("copy_bytes", memory.peak_copy_bytes);
  json.field("peak_bytes", memory.peak_bytes);
  json.field("peak_seconds", memory.peak_seconds);
  json.key("usable_bytes");
  usable == kUnlimitedBytes ? json.null() : json.value(usable);
  json.key("alive").begin_array();
  for (std::size_t i = 0; i < std::min(kMostAlive, memory.alive.size()); ++i) {
    const Timeline::Alive& alive = memory.alive[i];
    const bool workspace = alive.what == Timeline::Alive::What::workspace;
    json.begin_flat_object();
    json.field("name", workspace ? std::string(analysis.graph().op_name(alive.op))
                                 : analysis.graph().tensor_name(alive.tensor));
    json.field("what", workspace                                   ? "workspace"
                       : alive.what == Timeline::Alive::What::copy ? "copy"
                                                                   : "output");
    json.field("bytes", alive.bytes).end_object();
  }
  json.end_array();
  json.field("alive_count", memory.alive.size()).end_object();
}

void write_critical_path(JsonWriter& json, const CriticalPath& path) {
  json.key("critical_path").begin_object();
  json.field("compute_seconds", path.seconds(CriticalStep::Kind::compute));
  json.field("transfer_seconds", path.seconds(CriticalStep::Kind::transfer));
  json.field("channel_wait_seconds", path.seconds(CriticalStep::Kind::channel_wait));
  json.field("device_wait_seconds", path.seconds(CriticalStep::Kind::device_wait));
  json.end_object();
}

}  // namespace

void write_outcome(JsonWriter& json, const Problem& problem, const Outcome& outcome,
                   const bounds::Bound& bound) {
  json.field("step_seconds", outcome.step_seconds);
  json.field("feasible", outcome.feasible);
  write_by_device(json, "over_bytes", problem, [&](std::size_t d) {
    const std::int64_t usable = problem.usable_bytes(DeviceId(d));
    return outcome.peak_bytes[d] > usable ? outcome.peak_bytes[d] - usable : std::int64_t{0};
  });
  write_by_device(json, "peak_bytes", problem,
                  [&](std::size_t d) { return outcome.peak_bytes[d]; });
  write_by_device(json, "busy_seconds", problem,
                  [&](std::size_t d) { return outcome.busy_seconds[d]; });
  json.field("transfers", outcome.transfers);
  json.field("transferred_bytes", outcome.transferred_bytes);
  json.field("lower_bound_seconds", bound.seconds);
  json.field("lower_bound", bound.name);
  // The bound holds for plans that fit; beside another it would mean nothing.
  json.key("gap");
  outcome.feasible ? json.value(gap_to(outcome.step_seconds, bound.seconds)) : json.null();
}

void write_analysis(JsonWriter& json, const Analysis& analysis) {
  json.key("memory").begin_object();
  for (std::size_t d = 0; d < analysis.problem->device_count(); ++d) {
    json.key(analysis.cluster().device(DeviceId(d)).name);
    write_device_memory(json, analysis, d);
  }
  json.end_object();
  json.key("channels").begin_array();
  for (const ChannelUsage& usage : analysis.channels) {
    json.begin_flat_object().field("name", channel_name(analysis.cluster(), usage.channel));
    json.field("busy_seconds", usage.busy_seconds).field("transfers", usage.transfers);
    json.field("bytes", usage.bytes).end_object();
  }
  json.end_array();
  write_critical_path(json, analysis.critical_path);
  if (analysis.outcome().feasible) return;
  json.key("infeasible").begin_object();
  json.field("missing_bytes", analysis.outcome().over_bytes);
  json.field("proved", analysis.infeasibility.missing_bytes > 0);
  json.field("proof", infeasibility_proof(analysis));
  json.key("remedies").begin_array();
  for (const std::string& remedy : remedies(analysis)) json.value(remedy);
  json.end_array().end_object();
}

}  // namespace berth::report
