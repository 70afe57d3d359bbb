// A plan, its outcome and timeline, and plan files. All are plain values; ops and devices are
// numbers, in the order of the graph and of the cluster.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "berth/export.h"

namespace berth::v1 {

struct Plan {
  std::vector<std::size_t> placement = {};           // the device of every op
  std::vector<double> priority = {};                 // by op, highest first; empty: none has one
  std::vector<std::vector<std::size_t>> fused = {};  // ops that run as one

  bool operator==(const Plan&) const = default;
};

// What a method may decide besides the placement.
struct Tasks {
  bool schedule = false;  // priorities
  bool fusion = false;

  bool operator==(const Tasks&) const = default;
};

// One step of a plan, simulated.
struct Outcome {
  double step_seconds = 0;  // infinite if a tensor that must be sent has no route
  bool feasible = false;    // it can run: every tensor has a route, every device enough memory
  bool routable = true;
  std::int64_t over_bytes = 0;  // above what devices may use, summed
  std::int64_t transfers = 0;
  std::int64_t transferred_bytes = 0;
  std::vector<std::int64_t> peak_bytes = {};  // by device
  std::vector<double> busy_seconds = {};      // by device

  bool operator==(const Outcome&) const = default;
};

// Everything that happens in one step.
struct Timeline {
  struct OpRun {
    std::size_t op = 0;  // of fused ops, the lowest
    std::size_t device = 0;
    double ready_seconds = 0;  // its inputs are there
    double start_seconds = 0;
    double end_seconds = 0;
    std::optional<std::size_t> fused_group = {};  // position in Plan::fused
  };
  struct Transfer {
    std::size_t op = 0;  // that made the tensor
    std::size_t output = 0;
    std::int64_t bytes = 0;
    std::size_t from = 0;
    std::size_t to = 0;
    double sent_seconds = 0;   // the tensor was made
    double start_seconds = 0;  // the links were free
    double end_seconds = 0;
  };
  struct Level {
    double seconds = 0;
    std::int64_t bytes = 0;  // held from this instant on
  };
  struct Memory {
    std::int64_t param_bytes = 0;
    std::int64_t peak_bytes = 0;
    double peak_seconds = 0;  // the first instant of the peak
    std::int64_t over_bytes = 0;
    std::vector<Level> levels = {};
  };

  Outcome outcome = {};
  std::vector<OpRun> ops = {};           // by start
  std::vector<Transfer> transfers = {};  // by sending
  std::vector<Memory> memory = {};       // by device
};

// What a plan file contains besides the plan: its origin and the predicted figures.
struct PlanRecord {
  std::string model = {};
  std::string model_sha256 = {};
  std::string precision = {};
  std::string cluster = {};
  std::string cluster_sha256 = {};
  std::string method = {};
  std::optional<std::uint64_t> seed = {};
  std::string budget = {};
  std::optional<double> step_seconds = {};
  std::optional<double> lower_bound_seconds = {};
  std::optional<bool> feasible = {};
  std::vector<std::int64_t> peak_bytes = {};  // by device
  std::string berth_version = {};

  bool operator==(const PlanRecord&) const = default;
};

struct PlanFile {
  Plan plan = {};
  PlanRecord record = {};
  std::vector<std::string> warnings = {};
};

class Problem;

// Reads a plan file for a problem. Problem::violations() says whether the plan is valid.
BERTH_API PlanFile read_plan(const Problem& problem, const std::string& path);
BERTH_API PlanFile parse_plan(const Problem& problem, const std::string& text,
                              const std::string& source = "plan");
BERTH_API std::string plan_to_json(const Problem& problem, const Plan& plan,
                                   const PlanRecord& record = {});
// Writes the complete file or nothing.
BERTH_API void write_plan(const std::string& path, const Problem& problem, const Plan& plan,
                          const PlanRecord& record = {});

}  // namespace berth::v1
