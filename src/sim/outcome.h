// The result of one simulated step of a plan. Kept small: searches make up to a million per second.
#pragma once

#include <cstdint>
#include <vector>

namespace berth {

struct Outcome {
  double step_seconds = 0;      // end of the last op
  bool feasible = true;         // no device's peak exceeds what it may use
  bool routable = true;         // every tensor that had to travel had a route; if not, the step
                                // time is infinite and nothing else is filled in
  std::int64_t over_bytes = 0;  // summed over the devices that are over
  std::int64_t transfers = 0;   // each counted once, not per link
  std::int64_t transferred_bytes = 0;
  std::vector<std::int64_t> peak_bytes;  // by device
  std::vector<double> busy_seconds;      // by device: sum of its ops' costs, in order of start

  bool operator==(const Outcome&) const = default;
};

}  // namespace berth
