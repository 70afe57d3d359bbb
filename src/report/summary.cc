#include "report/summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/quantity.h"
#include "report/table.h"

namespace berth::report {
namespace {

// What does not fit the line goes on below, behind the label.
std::string labelled(std::string_view label, std::string_view text) {
  constexpr std::size_t kIndent = 19;
  std::string lines = wrap_text(text, kPageColumns, kIndent);
  return lines.replace(0, kIndent, fmt::format("  {:<16} ", label));
}

std::string busiest_device_text(const Analysis& analysis) {
  const DeviceId device = analysis.busiest_device();
  const double step = analysis.outcome().step_seconds;
  const double busy = analysis.outcome().busy_seconds[device.index()];
  const double slots = static_cast<double>(analysis.cluster().device(device).slots);
  return fmt::format("{}, computing {} of the step",
                     plain_name(analysis.cluster().device(device).name, 32),
                     format_percent(step > 0 ? busy / (step * slots) : 0));
}

std::string busiest_channel_text(const Analysis& analysis) {
  const ChannelUsage* channel = busiest_channel(analysis.channels);
  if (!channel) return "none: no tensor is sent between devices";
  const double step = analysis.outcome().step_seconds;
  return fmt::format("{}, busy {} of the step ({}, {})",
                     channel_name(analysis.cluster(), channel->channel),
                     format_percent(step > 0 ? channel->busy_seconds / step : 0),
                     format_number_of(static_cast<std::size_t>(channel->transfers), "transfer"),
                     format_bytes(channel->bytes));
}

std::string critical_path_text(const Analysis& analysis) {
  const double step = analysis.outcome().step_seconds;
  std::string text;
  for (const CriticalStep::Kind kind : kCriticalKinds) {
    const double seconds = analysis.critical_path.seconds(kind);
    if (seconds <= 0) continue;
    if (!text.empty()) text += ", ";
    text += fmt::format("{} {}", critical_kind_name(kind), format_percent(seconds / step));
  }
  return text.empty() ? "takes no time" : text;
}

}  // namespace

std::string_view best_name(Tasks tasks) {
  if (tasks.fusion) return "best plan";
  return tasks.schedule ? "best placement and order" : "best placement";
}

std::string gap_sentence(double step_seconds, bool feasible, const bounds::Bound& bound) {
  if (!feasible) return "if memory is ignored";
  const double gap = gap_to(step_seconds, bound.seconds);
  if (gap <= 1e-9) return fmt::format("proven {}", best_name(bound.tasks));
  if (bound.seconds <= 0) return "no bound above zero was found";
  return fmt::format("at most {} above the {}", format_percent(gap), best_name(bound.tasks));
}

std::string speed_section(const Analysis& analysis, std::span<const Reference> references,
                          const StepSize& size, Ink ink) {
  const Outcome& outcome = analysis.outcome();
  std::string out =
      ink.bold(fmt::format("Step time {}", format_seconds(outcome.step_seconds))) +
      fmt::format(": {}.\n", gap_sentence(outcome.step_seconds, outcome.feasible, analysis.bound));
  if (size.known()) out += throughput_sentence(size, outcome.step_seconds) + "\n";
  using Align = Table::Align;
  Table table({{""}, {"", Align::right}, {"", Align::right}, {""}}, ink);
  const auto ratio = [&](double seconds) {
    return format_ratio(outcome.step_seconds > 0 ? seconds / outcome.step_seconds : 1);
  };
  table.add_row({"this plan", format_seconds(outcome.step_seconds), "1.00x"});
  table.add_row({"lower bound", format_seconds(analysis.bound.seconds),
                 ratio(analysis.bound.seconds), analysis.bound.name});
  for (const Reference& reference : references) {
    const Outcome& other = reference.outcome;
    std::string remark;
    if (!other.feasible) {
      remark = fmt::format("does not fit, {} over", format_bytes(other.over_bytes));
    } else if (outcome.feasible && other.step_seconds < outcome.step_seconds) {
      remark = ink.caution("better than this plan");
    }
    table.add_row(
        {reference.name, format_seconds(other.step_seconds), ratio(other.step_seconds), remark});
  }
  return out + table.to_text(2);
}

std::string limits_section(const Analysis& analysis, Ink ink) {
  std::string out = ink.bold("What limits the step") + "\n";
  out += labelled("critical path", critical_path_text(analysis));
  out += labelled("busiest device", busiest_device_text(analysis));
  out += labelled("busiest channel", busiest_channel_text(analysis));
  return out;
}

std::string summarize(const SummaryInput& input, Ink ink) {
  const Heading& heading = input.heading;
  std::string out = ink.dim(title_line(heading.model, heading.cluster, heading.method)) + "\n";
  if (!input.remark.empty()) out += ink.dim(wrap_text(input.remark, kPageColumns, 0));
  out += '\n' + fit_section(input.analysis, ink, input.without_flag);
  for (const std::string& sentence : heading.assumptions)
    out += wrap_text(sentence, kPageColumns, 0);
  out += '\n' + speed_section(input.analysis, input.references, heading.size, ink);
  out += '\n' + limits_section(input.analysis, ink);
  return out;
}

}  // namespace berth::report
