#include "cli/phases_answer.h"

#include <cmath>

#include "base/quantity.h"
#include "report/table.h"

namespace berth::cli {

void write_phases(JsonWriter& json, std::span<const place::PhaseReport> phases) {
  if (phases.empty()) return;
  json.key("phases").begin_array();
  for (const place::PhaseReport& phase : phases) {
    json.begin_flat_object().field("name", phase.name).field("seconds", phase.seconds);
    json.field("evaluations", phase.evaluations).field("step_seconds", phase.step_seconds);
    json.field("gain", phase.gain()).end_object();
  }
  json.end_array();
}

std::string phases_text(std::span<const place::PhaseReport> phases, report::Ink ink) {
  if (phases.empty()) return "this method has no phases\n";
  using Align = report::Table::Align;
  report::Table table({{"phase"},
                       {"time", Align::right},
                       {"evaluations", Align::right},
                       {"step after it", Align::right},
                       {"gain", Align::right}},
                      ink);
  for (const place::PhaseReport& phase : phases) {
    const bool fits = std::isfinite(phase.step_seconds);
    const std::optional<double> gain = phase.gain();
    table.add_row({phase.name, format_seconds(phase.seconds),
                   format_count(static_cast<std::uint64_t>(std::llround(phase.evaluations))),
                   fits ? format_seconds(phase.step_seconds) : "does not fit",
                   gain ? report::format_percent(*gain) : "-"});
  }
  return '\n' + table.to_text(2) + '\n';
}

}  // namespace berth::cli
