// A timeline as a trace that chrome://tracing and ui.perfetto.dev open: one row a device (one a
// slot where it has several), one row a channel, and a memory counter a device. Arrows lead from
// the op that made a tensor over the channels it travelled to every op that read it.
//
// Times are microseconds there, so they are rounded to the nearest picosecond. What then takes no
// time (views, constants, inputs) is left out: viewers draw such slices as wide as any other, and
// nobody can point at what lies under them. An arrow begins or ends at the channel instead.
#pragma once

#include <string>

#include "report/analysis.h"

namespace berth::report {

std::string chrome_trace(const Analysis& analysis);

}  // namespace berth::report
