// The rows of the charts over time of the HTML page: what every device and channel did, and how
// full every device's memory was. A row is a name and a canvas that says what belongs on it; the
// page's script draws them all on one axis, from html_data().
#pragma once

#include <string>

#include "report/analysis.h"

namespace berth::report {

std::string html_gantt(const Analysis& analysis);
std::string html_memory(const Analysis& analysis);

// The devices that a page shows: those with ops, and of very many only the busiest; in order of
// number.
std::vector<DeviceId> charted_devices(const Analysis& analysis);

// How high a device's chart of memory is.
struct ChartScale {
  double top_bytes = 1;
  std::int64_t usable_bytes = 0;
  bool limit_shown = false;
};
ChartScale memory_scale(const Analysis& analysis, DeviceId device);

}  // namespace berth::report
