// How `place` shows the phases of a search: an array in its JSON, a table with --verbose.
#pragma once

#include <span>
#include <string>

#include "base/json_writer.h"
#include "place/placer.h"
#include "report/text.h"

namespace berth::cli {

// The key `phases`; nothing for a method without phases.
void write_phases(JsonWriter& json, std::span<const place::PhaseReport> phases);

// One row per phase; a sentence for a method without phases.
std::string phases_text(std::span<const place::PhaseReport> phases, report::Ink ink);

}  // namespace berth::cli
