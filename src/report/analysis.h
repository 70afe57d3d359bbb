// Everything a report says about one plan, computed once: the timeline, the bounds, the critical
// path and the use of every channel. The text summary, the HTML page and the JSON all read from
// here, so they cannot disagree.
#pragma once

#include <string>
#include <vector>

#include "bounds/bounds.h"
#include "plan/plan.h"
#include "report/link_usage.h"
#include "report/throughput.h"
#include "sim/critical_path.h"
#include "sim/timeline.h"

namespace berth::report {

// What the report is about, as the user named it.
struct Heading {
  std::string model;
  std::string cluster;
  std::string method;
  std::vector<std::string> assumptions = {};  // sentences (report/assumptions.h)
  StepSize size = {};
};

// Another plan for the same problem, shown for comparison.
struct Reference {
  std::string name;  // "best single device"
  Outcome outcome;
  std::string method = {};  // that makes it, for a hint; may be empty
};

// The device that uses the largest part of its memory; of those over it, the one most bytes over.
DeviceId fullest_device(const Problem& problem, const Outcome& outcome);

struct Analysis {
  const Problem* problem = nullptr;  // both must outlive the analysis
  const Plan* plan = nullptr;
  Timeline timeline;
  bounds::Bound bound;  // the largest of the lower bounds
  CriticalPath critical_path;
  std::vector<ChannelUsage> channels;
  bounds::Infeasibility infeasibility;  // looked for only when the plan does not fit

  const Outcome& outcome() const { return timeline.outcome; }
  const Cluster& cluster() const { return problem->cluster(); }
  const Graph& graph() const { return problem->graph(); }
  DeviceId fullest_device() const { return report::fullest_device(*problem, outcome()); }
  DeviceId busiest_device() const;
};

// `plan` must be valid for the problem.
Analysis analyse(const Problem& problem, const Plan& plan, const bounds::Bounds& bounds);

// How far a step is above the bound, as a fraction: 0.041. Negative is possible for infeasible
// plans, for which the bounds do not hold. Infinite when the bound is zero.
double gap_to(double step_seconds, double bound_seconds);

// Part of its usable memory that the device's peak takes; above 1 when it does not fit, and 0 for
// unlimited memory.
double memory_fraction(std::int64_t peak_bytes, std::int64_t usable_bytes);

}  // namespace berth::report
