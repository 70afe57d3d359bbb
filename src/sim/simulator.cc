#include "sim/simulator.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <optional>

#include "sim/fast_engine.h"
#include "sim/general_engine.h"
#include "sim/timeline_recorder.h"

namespace berth {

struct Simulator::Implementation {
  explicit Implementation(const Problem& given) : problem(given), plain(compile(given)) {
    outcome.peak_bytes.resize(problem.device_count());
    outcome.busy_seconds.resize(problem.device_count());
    for (std::size_t d = 0; d < problem.device_count(); ++d) {
      device_classes.push_back(static_cast<std::uint32_t>(problem.device_class(DeviceId(d))));
    }
    // The general engine is made only when it is asked for: a search never needs it where the fast
    // one applies, except for its traces.
    if (FastEngine::applies_to(problem)) fast.emplace(problem);
  }

  // The program of the plan, with `assignment` filled in for it.
  const Program& assign(const Plan& plan) {
    assert(plan.placement.size() == problem.op_count());
    const Program& program = plan.fused.empty() ? plain : contracted(plan.fused);
    assignment.device.resize(program.kernels);
    assignment.seconds.resize(program.kernels);
    assignment.priority.resize(plan.priority.empty() ? 0 : program.kernels);
    if (plan.fused.empty()) {
      assign_ops(plan);
    } else {
      assign_kernels(plan, program);
    }
    return program;
  }

  void assign_ops(const Plan& plan) {
    const std::size_t ops = problem.op_count();
    for (std::size_t i = 0; i < ops; ++i) {
      // Runs per op in every evaluation, so the class of a device is looked up in a small array.
      const std::size_t device = plan.placement[i].index();
      const double seconds = problem.class_seconds(OpId(i), device_classes[device]);
      assignment.device[i] = static_cast<std::uint16_t>(device);
      assignment.seconds[i] = seconds;
    }
    std::copy(plan.priority.begin(), plan.priority.end(), assignment.priority.begin());
  }

  void assign_kernels(const Plan& plan, const Program& program) {
    for (std::uint32_t kernel = 0; kernel < program.kernels; ++kernel) {
      const OpId op = program.kernel_ops[kernel];
      const DeviceId device = plan.placement[op.index()];
      const std::uint32_t group = program.kernel_fused[kernel];
      const double seconds = group == Program::kNone
                                 ? problem.seconds(op, device)
                                 : problem.fused_seconds(plan.fused[group], device);
      assignment.device[kernel] = static_cast<std::uint16_t>(device.index());
      assignment.seconds[kernel] = seconds;
    }
    if (plan.priority.empty()) return;
    // A fused group has the highest priority of its members (docs/execution.md).
    std::fill(assignment.priority.begin(), assignment.priority.end(),
              -std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < kernel_of_op.size(); ++i) {
      double& priority = assignment.priority[kernel_of_op[i]];
      priority = std::max(priority, plan.priority[i]);
    }
  }

  const Program& contracted(const std::vector<std::vector<OpId>>& groups) {
    // Comparing the groups costs far less than compiling, and searches over placements change none.
    if (!fused || fused_groups != groups) {
      fused = compile_fused(problem, groups, kernel_of_op);
      fused_groups = groups;
    }
    return *fused;
  }

  GeneralEngine& general_engine() {
    if (!general) general.emplace(problem);
    return *general;
  }

  void conclude() {
    outcome.feasible = outcome.routable;
    outcome.over_bytes = 0;
    // The engines leave the rest as it was in the last call; nothing of that may be seen.
    if (!outcome.routable) {
      outcome.transfers = 0;
      outcome.transferred_bytes = 0;
      std::fill(outcome.peak_bytes.begin(), outcome.peak_bytes.end(), 0);
      std::fill(outcome.busy_seconds.begin(), outcome.busy_seconds.end(), 0.0);
      return;
    }
    for (std::size_t d = 0; d < outcome.peak_bytes.size(); ++d) {
      // Cannot overflow: neither is negative.
      const std::int64_t over = outcome.peak_bytes[d] - problem.usable_bytes(DeviceId(d));
      if (over > 0) outcome.over_bytes += over;
    }
    outcome.feasible = outcome.over_bytes == 0;
  }

  const Problem& problem;
  Program plain;
  std::vector<std::uint32_t> device_classes;
  std::optional<FastEngine> fast;
  std::optional<GeneralEngine> general;

  // The fusion that was compiled last. A search tries many placements of one fusion in a row.
  std::optional<Program> fused;
  std::vector<std::vector<OpId>> fused_groups;
  std::vector<std::uint32_t> kernel_of_op;

  Assignment assignment;
  Outcome outcome;
};

Simulator::Simulator(const Problem& problem)
    : implementation_(std::make_unique<Implementation>(problem)) {}
Simulator::~Simulator() = default;
Simulator::Simulator(Simulator&&) noexcept = default;
Simulator& Simulator::operator=(Simulator&&) noexcept = default;

const Outcome& Simulator::evaluate(const Plan& plan) {
  Implementation& self = *implementation_;
  if (!self.fast) return evaluate_generally(plan);
  const Program& program = self.assign(plan);
  self.fast->run(program, self.assignment, self.outcome);
  self.conclude();
  return self.outcome;
}

const Outcome& Simulator::evaluate_generally(const Plan& plan) {
  Implementation& self = *implementation_;
  const Program& program = self.assign(plan);
  NoRecorder recorder;
  self.general_engine().run(program, self.assignment, self.outcome, recorder);
  self.conclude();
  return self.outcome;
}

Timeline Simulator::trace(const Plan& plan) {
  Implementation& self = *implementation_;
  const Program& program = self.assign(plan);
  TimelineRecorder recorder(program, self.assignment);
  self.general_engine().run(program, self.assignment, self.outcome, recorder);
  self.conclude();
  return recorder.finish(self.problem, self.outcome);
}

}  // namespace berth
