// A timeline as a trace that chrome://tracing and ui.perfetto.dev open: one row per device (one
// per slot where it has several), one row per channel, and one memory counter per device. Arrows
// lead from the op that made a tensor over the channels it travelled to every op that read it.
//
// Times are microseconds there, so they are rounded to the nearest picosecond. What then takes no
// time (views, constants, inputs) is left out: viewers draw such slices as wide as any other, and
// what lies under them cannot be selected. An arrow begins or ends at the channel instead.
#pragma once

#include <string>

#include "report/analysis.h"

namespace berth::report {

std::string chrome_trace(const Analysis& analysis);

}  // namespace berth::report
