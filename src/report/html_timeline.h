// The charts over time of the HTML page: what every device and channel did, and how full every
// device's memory was. All share one axis, which the page's script zooms.
#pragma once

#include <string>

#include "report/analysis.h"

namespace berth {

std::string html_gantt(const Analysis& analysis);
std::string html_memory(const Analysis& analysis);

// The devices a page has room for: those with ops, of very many the busiest; in order of number.
std::vector<DeviceId> charted_devices(const Analysis& analysis);

}  // namespace berth
