// An op in the queue of a device, in the order in which the execution rules start ops: highest
// priority, then earliest ready, then lowest index.
#pragma once

#include <cstdint>

namespace berth {

struct Ready {
  double priority;
  double seconds;
  std::uint32_t kernel;
  bool operator<(const Ready& other) const {
    if (priority != other.priority) return priority > other.priority;
    if (seconds != other.seconds) return seconds < other.seconds;
    return kernel < other.kernel;
  }
};

}  // namespace berth
