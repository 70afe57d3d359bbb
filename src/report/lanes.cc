#include "report/lanes.h"

namespace berth::report {

Lanes assign_lanes(const Timeline& timeline, std::size_t device_count) {
  Lanes lanes;
  lanes.lane.reserve(timeline.ops.size());
  lanes.count.assign(device_count, 1);
  std::vector<std::vector<double>> free_from(device_count, std::vector<double>(1, 0.0));
  for (const Timeline::OpRun& run : timeline.ops) {
    std::vector<double>& ends = free_from[run.device.index()];
    std::size_t lane = 0;
    while (lane < ends.size() && ends[lane] > run.start_seconds) ++lane;
    if (lane == ends.size()) ends.push_back(0);
    ends[lane] = run.end_seconds;
    lanes.lane.push_back(static_cast<std::uint32_t>(lane));
    lanes.count[run.device.index()] = static_cast<std::uint32_t>(ends.size());
  }
  return lanes;
}

}  // namespace berth::report
