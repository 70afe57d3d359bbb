// A timeline as a trace that chrome://tracing and ui.perfetto.dev open: one row a device (one a
// slot where it has several), one row a channel, and a memory counter a device. Times are
// microseconds there, so they are rounded to the nearest picosecond.
#pragma once

#include <string>

#include "report/analysis.h"

namespace berth {

std::string chrome_trace(const Analysis& analysis);

}  // namespace berth
