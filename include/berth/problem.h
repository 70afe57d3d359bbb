// A graph on a cluster, with constraints: what plans are made for and checked against.
//
// The constructor computes the cost of every op on every kind of device once. After that a problem
// never changes, so any number of threads may use it; copies share their data.
//
// Ops that must share a device form a group. A placer decides on groups; an op that is tied to no
// other is a group by itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "berth/cluster.h"
#include "berth/export.h"
#include "berth/graph.h"
#include "berth/plan.h"

namespace berth::v1 {

// Ops are named in full or by pattern ("encoder/*"), devices by name, model or kind.
struct BERTH_API Constraints {
  struct Pin {
    std::string ops;
    std::vector<std::string> devices;
  };
  std::vector<Pin> pin = {};
  std::vector<std::string> forbid = {};                 // devices that no op may use
  std::vector<std::vector<std::string>> colocate = {};  // the ops of a row share a device
  std::string source = "constraints";                   // the name used in messages

  static Constraints load(const std::string& path);
};

// No feasible plan has a shorter step.
struct Bound {
  double seconds = 0;
  std::string name = {};         // "critical path", "work", ...
  std::string explanation = {};  // one sentence
};

struct Bounds {
  std::vector<Bound> all = {};
  Bound best = {};
};

// Why no plan at all fits, where that can be proved.
struct Infeasibility {
  bool proved = false;
  std::int64_t missing_bytes = 0;
  std::string explanation = {};                 // one sentence
  std::optional<std::size_t> blocking_op = {};  // of a group that fits on no device
};

class BERTH_API Problem {
 public:
  Problem(const Graph& graph, const Cluster& cluster, const Constraints& constraints = {});
  // Copied, never moved from: a problem always has a value.
  Problem(const Problem&) = default;
  Problem& operator=(const Problem&) = default;

  Graph graph() const;
  Cluster cluster() const;
  std::size_t op_count() const;
  std::size_t device_count() const;

  // Groups are numbered by their lowest op.
  std::size_t group_count() const;
  std::size_t group(std::size_t op) const;
  std::vector<std::size_t> members(std::size_t group) const;
  std::vector<std::size_t> allowed_devices(std::size_t group) const;  // never empty

  double seconds(std::size_t op, std::size_t device) const;  // infinite where it is not allowed
  std::int64_t usable_bytes(std::size_t device) const;

  // Why the plan is not valid, one sentence each; empty when it is valid.
  std::vector<std::string> violations(const Plan& plan) const;
  // These throw Error for a plan that is not valid. A plan that needs too much memory is valid.
  Outcome simulate(const Plan& plan) const;
  Timeline trace(const Plan& plan) const;
  std::string chrome_trace(const Plan& plan) const;  // for chrome://tracing, ui.perfetto.dev

  // Computed at the first call for these tasks, and kept.
  Bounds bounds(Tasks tasks = {}) const;
  Infeasibility prove_infeasible(Tasks tasks = {}) const;
  // The plan of a human expert, where a paper describes one and it applies to the cluster.
  std::optional<Plan> expert_plan() const;

  struct Impl;
  const Impl& impl() const { return *impl_; }

 private:
  std::shared_ptr<const Impl> impl_;
};

}  // namespace berth::v1
