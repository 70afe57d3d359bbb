#include "report/lint.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/units.h"
#include "report/text.h"
#include "sim/simulator.h"

namespace berth {
namespace {

constexpr double kMostlyIdle = 0.2;
constexpr double kMostlyBusy = 0.6;

std::string device_name(const Analysis& analysis, DeviceId device) {
  return plain_name(analysis.cluster().device(device).name, 32);
}

void check_memory(const Analysis& analysis, LintFindings& findings) {
  for (std::size_t d = 0; d < analysis.timeline.memory.size(); ++d) {
    const Timeline::DeviceMemory& memory = analysis.timeline.memory[d];
    if (memory.over_bytes == 0) continue;
    findings.warnings.push_back(fmt::format(
        "{} is over memory by {}: its peak is {} of {}, {} into the step.",
        device_name(analysis, DeviceId(d)), format_bytes(memory.over_bytes),
        format_bytes(memory.peak_bytes), format_bytes(analysis.problem->usable_bytes(DeviceId(d))),
        format_seconds(memory.peak_seconds)));
  }
}

// A device that may take some op.
bool is_usable(const Problem& problem, DeviceId device) {
  for (std::size_t g = 0; g < problem.group_count(); ++g) {
    const auto allowed = problem.allowed_devices(GroupId(g));
    if (std::binary_search(allowed.begin(), allowed.end(), device)) return true;
  }
  return false;
}

void check_balance(const Analysis& analysis, LintFindings& findings) {
  const Outcome& outcome = analysis.outcome();
  std::vector<std::size_t> ops(analysis.problem->device_count(), 0);
  for (const DeviceId device : analysis.plan->placement) ops[device.index()] += 1;
  const double step = outcome.step_seconds;
  const double busiest = outcome.busy_seconds[analysis.busiest_device().index()];
  std::vector<std::string> unused;
  for (std::size_t d = 0; d < ops.size(); ++d) {
    const DeviceId device(d);
    // A host that only feeds its accelerators is no waste.
    if (analysis.cluster().device(device).kind == "cpu" && ops.size() > 1) continue;
    if (ops[d] == 0) {
      if (is_usable(*analysis.problem, device)) unused.push_back(device_name(analysis, device));
      continue;
    }
    const double busy = outcome.busy_seconds[d];
    if (step <= 0 || busy >= kMostlyIdle * step || busiest <= kMostlyBusy * step) continue;
    findings.advice.push_back(fmt::format(
        "{} computes only {} of the step while {} computes {}; it could take more of the work.",
        device_name(analysis, device), format_percent(busy / step),
        device_name(analysis, analysis.busiest_device()), format_percent(busiest / step)));
  }
  if (unused.empty()) return;
  const std::size_t count = unused.size();
  std::string names = unused.front();
  for (std::size_t i = 1; i < std::min<std::size_t>(count, 8); ++i) names += ", " + unused[i];
  if (count > 8) names += fmt::format(" and {} more", count - 8);
  findings.advice.push_back(
      fmt::format("{} no ops: {}.",
                  count == 1 ? "One device has" : fmt::format("{} devices have", count), names));
}

void check_references(const Analysis& analysis, const std::vector<Reference>& references,
                      LintFindings& findings) {
  const Outcome& outcome = analysis.outcome();
  for (const Reference& reference : references) {
    if (!reference.outcome.feasible) continue;
    if (outcome.feasible && reference.outcome.step_seconds >= outcome.step_seconds) continue;
    findings.warnings.push_back(
        outcome.feasible
            ? fmt::format("It is slower than the {}: {} against {}.", reference.name,
                          format_seconds(outcome.step_seconds),
                          format_seconds(reference.outcome.step_seconds))
            : fmt::format("It does not fit, but the {} does, with a step of {}.", reference.name,
                          format_seconds(reference.outcome.step_seconds)));
  }
}

void check_extras(const Analysis& analysis, LintFindings& findings) {
  const Outcome& outcome = analysis.outcome();
  Simulator simulator(*analysis.problem);
  const auto check = [&](const Plan& without, const char* what) {
    const Outcome& other = simulator.evaluate(without);
    if (other == outcome) {
      findings.advice.push_back(
          fmt::format("The {} change nothing; the plan is as good without.", what));
    } else if (other.feasible && other.step_seconds < outcome.step_seconds) {
      findings.warnings.push_back(fmt::format("The {} make it slower: {} against {} without.", what,
                                              format_seconds(outcome.step_seconds),
                                              format_seconds(other.step_seconds)));
    }
  };
  if (!analysis.plan->priority.empty()) {
    Plan plain = *analysis.plan;
    plain.priority.clear();
    check(plain, "priorities");
  }
  if (!analysis.plan->fused.empty()) {
    Plan plain = *analysis.plan;
    plain.fused.clear();
    check(plain, "fused groups");
  }
}

// Whether everything that reads the transferred tensor over there could run here in less time than
// the transfer takes.
bool is_wasteful(const Analysis& analysis, const Timeline::Transfer& transfer) {
  const double travel = transfer.end_seconds - transfer.start_seconds;
  double cost = 0;
  for (const OpId op : analysis.graph().consumers(transfer.tensor)) {
    if (analysis.plan->placement[op.index()] != transfer.to) continue;
    for (const OpId member : analysis.problem->members(analysis.problem->group(op))) {
      if (!analysis.problem->allowed(member, transfer.from)) return false;
      cost += analysis.problem->seconds(member, transfer.from);
    }
    if (cost >= travel) return false;
  }
  return true;
}

void check_transfers(const Analysis& analysis, LintFindings& findings) {
  const Timeline::Transfer* worst = nullptr;
  std::size_t count = 0;
  double seconds = 0;
  for (const Timeline::Transfer& transfer : analysis.timeline.transfers) {
    if (!is_wasteful(analysis, transfer)) continue;
    const double travel = transfer.end_seconds - transfer.start_seconds;
    count += 1;
    seconds += travel;
    if (!worst || travel > worst->end_seconds - worst->start_seconds) worst = &transfer;
  }
  if (!worst) return;
  findings.advice.push_back(fmt::format(
      "{} ({} on the links) {} read only by ops that would take less time beside the producer; the "
      "longest is {} from {} to {}.",
      format_number_of(count, "transfer"), format_seconds(seconds), count == 1 ? "is" : "are",
      plain_name(analysis.graph().tensor_name(worst->tensor), 50),
      device_name(analysis, worst->from), device_name(analysis, worst->to)));
}

}  // namespace

LintFindings lint_plan(const Analysis& analysis, const std::vector<Reference>& references,
                       const LintOptions& options) {
  LintFindings findings;
  check_memory(analysis, findings);
  check_references(analysis, references, findings);
  check_extras(analysis, findings);
  check_balance(analysis, findings);
  check_transfers(analysis, findings);
  for (std::string& sentence : improving_moves(analysis, options)) {
    findings.advice.push_back(std::move(sentence));
  }
  return findings;
}

}  // namespace berth
