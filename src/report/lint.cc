#include "report/lint.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/quantity.h"
#include "place/order_gain.h"
#include "report/relocation.h"
#include "report/text.h"
#include "sim/simulator.h"

namespace berth::report {
namespace {

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

void check_references(const Analysis& analysis, const std::vector<Reference>& references,
                      LintFindings& findings) {
  const Outcome& outcome = analysis.outcome();
  for (const Reference& reference : references) {
    if (!reference.outcome.feasible) continue;
    if (outcome.feasible && reference.outcome.step_seconds >= outcome.step_seconds) continue;
    findings.warnings.push_back(
        outcome.feasible
            ? fmt::format("The plan is slower than the {}: {} against {}.", reference.name,
                          format_seconds(outcome.step_seconds),
                          format_seconds(reference.outcome.step_seconds))
            : fmt::format("The plan does not fit, but the {} does, with a step of {}.",
                          reference.name, format_seconds(reference.outcome.step_seconds)));
  }
}

void check_extras(const Analysis& analysis, LintFindings& findings) {
  const Outcome& outcome = analysis.outcome();
  Simulator simulator(*analysis.problem);
  const auto check = [&](const Plan& without, const char* what) {
    const Outcome& other = simulator.evaluate(without);
    if (other == outcome) {
      findings.advice.push_back(
          fmt::format("The {} change nothing: the step is the same without them.", what));
    } else if (other.feasible && other.step_seconds < outcome.step_seconds) {
      findings.warnings.push_back(
          fmt::format("The {} make the step longer: {} against {} without them.", what,
                      format_seconds(outcome.step_seconds), format_seconds(other.step_seconds)));
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

// Whether all ops that read the tensor at its destination could run at its source in less time than
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

double travel_seconds(const Timeline::Transfer& transfer) {
  return transfer.end_seconds - transfer.start_seconds;
}

// Longest first.
std::vector<const Timeline::Transfer*> wasteful_transfers(const Analysis& analysis) {
  std::vector<const Timeline::Transfer*> wasteful;
  for (const Timeline::Transfer& transfer : analysis.timeline.transfers) {
    if (is_wasteful(analysis, transfer)) wasteful.push_back(&transfer);
  }
  std::ranges::stable_sort(wasteful, [](const auto* left, const auto* right) {
    return travel_seconds(*left) > travel_seconds(*right);
  });
  return wasteful;
}

// Moves the readers of the longest transfer to its source, then those of the two longest, the four
// longest and so on: moves that help one by one may overload a device together.
void check_transfers(const Analysis& analysis, LintFindings& findings) {
  if (!analysis.outcome().feasible) return;
  const std::vector<const Timeline::Transfer*> wasteful = wasteful_transfers(analysis);
  Relocation relocation(analysis);
  std::vector<Move> moves;
  std::size_t taken = 0;
  std::size_t best_count = 0;
  double best_gain = 0;
  double best_seconds = 0;
  for (std::size_t count = 1; taken < wasteful.size(); count *= 2) {
    for (; taken < std::min(count, wasteful.size()); ++taken) {
      const Timeline::Transfer& transfer = *wasteful[taken];
      for (const OpId op : analysis.graph().consumers(transfer.tensor)) {
        const Move move{analysis.problem->group(op), transfer.from};
        if (analysis.plan->placement[op.index()] != transfer.to) continue;
        if (relocation.can_move(move)) moves.push_back(move);
      }
    }
    const Outcome& outcome = relocation.with(moves);
    const double gain = relocation.gain(outcome);
    if (gain <= best_gain) continue;
    best_gain = gain;
    best_count = taken;
    best_seconds = outcome.step_seconds;
  }
  if (best_gain < kSmallestGain) return;
  double seconds = 0;
  for (std::size_t i = 0; i < best_count; ++i) seconds += travel_seconds(*wasteful[i]);
  findings.advice.push_back(fmt::format(
      "{} ({} on the links) {} read only by ops that would take less time on the device of the "
      "producer: moving them there would shorten the step by {}, to {}. The longest transfer is {} "
      "from {} to {}.",
      format_number_of(best_count, "transfer"), format_seconds(seconds),
      best_count == 1 ? "is" : "are", format_percent(best_gain), format_seconds(best_seconds),
      plain_name(analysis.graph().tensor_name(wasteful.front()->tensor), 50),
      device_name(analysis, wasteful.front()->from), device_name(analysis, wasteful.front()->to)));
}

// A plan without priorities runs its ops in the order in which they become ready.
void check_order(const Analysis& analysis, const LintOptions& options, LintFindings& findings) {
  const Outcome& outcome = analysis.outcome();
  if (!outcome.feasible || !analysis.plan->priority.empty() || !analysis.plan->fused.empty())
    return;
  const double seconds =
      place::step_with_order(*analysis.problem, *analysis.plan, analysis.timeline);
  const double gain = 1 - seconds / outcome.step_seconds;
  if (!(gain >= kSmallestGain)) return;
  findings.advice.push_back(fmt::format(
      "Priorities would shorten the step by {}, to {}{}.", format_percent(gain),
      format_seconds(seconds),
      options.order_command.empty() ? ""
                                    : fmt::format(": {} decides them", options.order_command)));
}

}  // namespace

LintFindings lint_plan(const Analysis& analysis, const std::vector<Reference>& references,
                       const LintOptions& options) {
  LintFindings findings;
  check_memory(analysis, findings);
  check_references(analysis, references, findings);
  check_extras(analysis, findings);
  check_order(analysis, options, findings);
  // No move can gain more than the distance to the lower bound.
  const Outcome& outcome = analysis.outcome();
  if (outcome.feasible && gap_to(outcome.step_seconds, analysis.bound.seconds) < kSmallestGain) {
    return findings;
  }
  check_transfers(analysis, findings);
  for (const auto& look : {work_for_idle_devices, improving_moves}) {
    for (std::string& sentence : look(analysis, options)) {
      findings.advice.push_back(std::move(sentence));
    }
  }
  return findings;
}

}  // namespace berth::report
