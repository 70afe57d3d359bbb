#include "berth/plan.h"

#include "api/errors.h"
#include "api/impl.h"
#include "base/file.h"
#include "base/sha256.h"
#include "berth/place.h"
#include "cluster/cluster_file.h"
#include "frontends/graph_file.h"
#include "place/placer.h"
#include "report/assumptions.h"

namespace berth::v1 {
namespace {

berth::PlanRecord inside(const PlanRecord& record) {
  return {.model = record.model,
          .model_sha256 = record.model_sha256,
          .precision = record.precision,
          .cluster = record.cluster,
          .cluster_sha256 = record.cluster_sha256,
          .method = record.method,
          .seed = record.seed,
          .budget = record.budget,
          .step_seconds = record.step_seconds,
          .lower_bound_seconds = record.lower_bound_seconds,
          .feasible = record.feasible,
          .peak_bytes = record.peak_bytes,
          .berth_version = record.berth_version};
}

PlanRecord outside(const berth::PlanRecord& record) {
  return {.model = record.model,
          .model_sha256 = record.model_sha256,
          .precision = record.precision,
          .cluster = record.cluster,
          .cluster_sha256 = record.cluster_sha256,
          .method = record.method,
          .seed = record.seed,
          .budget = record.budget,
          .step_seconds = record.step_seconds,
          .lower_bound_seconds = record.lower_bound_seconds,
          .feasible = record.feasible,
          .peak_bytes = record.peak_bytes,
          .berth_version = record.berth_version};
}

PlanFile parse(const Problem& problem, std::string_view text, const std::string& source) {
  const berth::Problem& inner = *problem.impl().problem;
  std::vector<std::string> warnings;
  berth::PlanFile file = berth::parse_plan(text, source, inner.graph(), inner.cluster(), &warnings);
  return {.plan = v1::outside(file.plan),
          .record = outside(file.record),
          .warnings = std::move(warnings)};
}

}  // namespace

PlanFile read_plan(const Problem& problem, const std::string& path) {
  return guarded(path, [&] {
    const InputFile file(path);
    return parse(problem, file.text(), input_name(path));
  });
}

PlanFile parse_plan(const Problem& problem, const std::string& text, const std::string& source) {
  return guarded(source, [&] { return parse(problem, text, source); });
}

std::string plan_to_json(const Problem& problem, const Plan& plan, const PlanRecord& record) {
  return guarded("plan", [&] {
    const berth::Problem& inner = *problem.impl().problem;
    if (!record.peak_bytes.empty()) {
      require_index(record.peak_bytes.size() - 1, inner.device_count(), "device");
    }
    berth::PlanRecord told = inside(record);
    if (!told.peak_bytes.empty()) told.peak_bytes.resize(inner.device_count());
    return berth::plan_to_json(v1::inside(inner, plan), told, inner.graph(), inner.cluster());
  });
}

void write_plan(const std::string& path, const Problem& problem, const Plan& plan,
                const PlanRecord& record) {
  const std::string text = plan_to_json(problem, plan, record);
  guarded(path, [&] { write_file(path, text); });
}

PlanRecord plan_record(const Problem& problem, const Placed& placed) {
  return guarded("plan", [&] {
    const Graph::Impl& graph = problem.impl().graph.impl();
    const Cluster::Impl& cluster = problem.impl().cluster.impl();
    PlanRecord record;
    record.model = graph.model.spec;
    record.model_sha256 = graph.built ? sha256_hex(graph_to_json(graph.model.graph))
                                      : berth::model_sha256(graph.model);
    record.precision = dtype_name(report::precision_facts(*problem.impl().problem).products);
    record.cluster = cluster.named;
    record.cluster_sha256 =
        cluster.sha256.empty() ? sha256_hex(cluster_to_json(*cluster.cluster)) : cluster.sha256;
    record.method = placed.method;
    record.seed = placed.seed;
    record.budget = format_budget({placed.budget.seconds, placed.budget.evaluations});
    record.step_seconds = placed.outcome.step_seconds;
    record.lower_bound_seconds = placed.bound.seconds;
    record.feasible = placed.outcome.feasible;
    record.peak_bytes = placed.outcome.peak_bytes;
    record.berth_version = BERTH_VERSION;
    return record;
  });
}

void write_plan(const std::string& path, const Problem& problem, const Placed& placed) {
  write_plan(path, problem, placed.plan, plan_record(problem, placed));
}

}  // namespace berth::v1
