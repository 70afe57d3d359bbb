// The keys that scripts rely on, written the same way by `simulate`, `place` and every row of
// `compare`. All functions write fields into the object that is open in the writer.
#pragma once

#include "base/json_writer.h"
#include "report/analysis.h"

namespace berth::report {

// step_seconds, feasible, over_bytes{device}, peak_bytes{device}, busy_seconds{device}, transfers,
// transferred_bytes, lower_bound_seconds, lower_bound, gap. Every device is named in every map.
void write_outcome(JsonWriter& json, const Problem& problem, const Outcome& outcome,
                   const bounds::Bound& bound);

// memory{device: parts of the peak and what is alive}, channels[], critical_path{kind: seconds},
// and where the plan does not fit `infeasible` with the proof and the remedies.
void write_analysis(JsonWriter& json, const Analysis& analysis);

}  // namespace berth::report
