// The plan format (`berth.plan`, docs/formats.md), read and written.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plan/plan.h"

namespace berth {

// What a plan written by Berth records beside the plan itself. Empty fields are left out.
struct PlanRecord {
  std::string model, model_sha256;
  std::string precision;  // what products run in: "tf32"
  std::string cluster, cluster_sha256;
  std::string method;
  std::optional<std::uint64_t> seed;
  std::string budget;
  std::optional<double> step_seconds;
  std::optional<double> lower_bound_seconds;
  std::optional<bool> feasible;
  std::vector<std::int64_t> peak_bytes;  // by device; may be empty
  std::string berth_version;
};

struct PlanFile {
  Plan plan;
  PlanRecord record;
};

// Every op must be placed, and nothing else. Unknown ops and devices, repeated keys and priorities
// that are not finite are refused with an InputError that names the place. Whether the plan is
// valid for the problem is up to violations().
PlanFile parse_plan(std::string_view text, std::string_view source, const Graph& graph,
                    const Cluster& cluster, std::vector<std::string>* warnings = nullptr);
std::string plan_to_json(const Plan& plan, const PlanRecord& record, const Graph& graph,
                         const Cluster& cluster);

}  // namespace berth
