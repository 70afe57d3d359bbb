// Writes the plan format: one op per line, so that two plans can be compared line by line.
#include <cmath>

#include "base/json_format.h"
#include "base/json_writer.h"
#include "plan/plan_file.h"

namespace berth {
namespace {

void write_text(JsonWriter& json, std::string_view key, const std::string& text) {
  if (!text.empty()) json.field(key, text);
}

void write_origin(JsonWriter& json, std::string_view key, const std::string& name,
                  const std::string& sha256) {
  if (name.empty() && sha256.empty()) return;
  json.key(key).begin_object();
  write_text(json, "name", name);
  write_text(json, "sha256", sha256);
  json.end_object();
}

// A step that cannot run takes infinite time, for which JSON has no number.
void write_seconds(JsonWriter& json, std::string_view key, std::optional<double> seconds) {
  if (seconds && std::isfinite(*seconds)) json.field(key, *seconds);
}

void write_predicted(JsonWriter& json, const PlanRecord& record, const Cluster& cluster) {
  if (!record.step_seconds && !record.lower_bound_seconds && !record.feasible &&
      record.peak_bytes.empty()) {
    return;
  }
  json.key("predicted").begin_object();
  write_seconds(json, "step_seconds", record.step_seconds);
  write_seconds(json, "lower_bound_seconds", record.lower_bound_seconds);
  if (record.feasible) json.field("feasible", *record.feasible);
  if (!record.peak_bytes.empty()) {
    json.key("peak_bytes").begin_object();
    for (std::size_t d = 0; d < cluster.device_count(); ++d) {
      json.field(cluster.device(DeviceId(d)).name, record.peak_bytes[d]);
    }
    json.end_object();
  }
  json.end_object();
}

void write_record(JsonWriter& json, const PlanRecord& record, const Cluster& cluster) {
  write_origin(json, "model", record.model, record.model_sha256);
  write_text(json, "precision", record.precision);
  write_origin(json, "cluster", record.cluster, record.cluster_sha256);
  write_text(json, "method", record.method);
  if (record.seed) write_unsigned(json, "seed", *record.seed);
  write_text(json, "budget", record.budget);
  write_predicted(json, record, cluster);
  write_text(json, "berth_version", record.berth_version);
}

void write_priority(JsonWriter& json, const Plan& plan, const Graph& graph) {
  if (plan.priority.empty()) return;
  json.key("priority").begin_object();
  for (std::size_t i = 0; i < plan.priority.size(); ++i) {
    // 0 is the default of an op that is not listed.
    if (plan.priority[i] != 0) json.field(graph.op_name(OpId(i)), plan.priority[i]);
  }
  json.end_object();
}

void write_fused(JsonWriter& json, const Plan& plan, const Graph& graph) {
  if (plan.fused.empty()) return;
  json.key("fused").begin_array();
  for (const auto& group : plan.fused) {
    json.begin_flat_array();
    for (const OpId op : group) json.value(graph.op_name(op));
    json.end_array();
  }
  json.end_array();
}

}  // namespace

std::string plan_to_json(const Plan& plan, const PlanRecord& record, const Graph& graph,
                         const Cluster& cluster) {
  JsonWriter json;
  json.begin_object();
  json.field("format", "berth.plan").field("version", 1);
  write_record(json, record, cluster);
  json.key("placement").begin_object();
  for (std::size_t i = 0; i < plan.placement.size(); ++i) {
    json.field(graph.op_name(OpId(i)), cluster.device(plan.placement[i]).name);
  }
  json.end_object();
  write_priority(json, plan, graph);
  write_fused(json, plan, graph);
  json.end_object();
  return json.take();
}

}  // namespace berth
