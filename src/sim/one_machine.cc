#include "sim/one_machine.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace berth {

double jackson_seconds(std::vector<Job>& jobs) {
  std::sort(jobs.begin(), jobs.end(),
            [](const Job& left, const Job& right) { return left.head < right.head; });
  std::vector<std::pair<double, double>> waiting;  // heap of (tail, work left)
  double now = 0;
  double done = 0;
  std::size_t next = 0;
  while (next < jobs.size() || !waiting.empty()) {
    if (waiting.empty()) now = std::max(now, jobs[next].head);
    for (; next < jobs.size() && jobs[next].head <= now; ++next) {
      waiting.emplace_back(jobs[next].tail, jobs[next].work);
      std::push_heap(waiting.begin(), waiting.end());
    }
    const double until =
        next < jobs.size() ? jobs[next].head : std::numeric_limits<double>::infinity();
    std::pop_heap(waiting.begin(), waiting.end());
    auto& [tail, left] = waiting.back();
    if (now + left <= until) {
      now += left;
      done = std::max(done, now + tail);
      waiting.pop_back();
    } else {
      left -= until - now;
      now = until;
      std::push_heap(waiting.begin(), waiting.end());
    }
  }
  return done;
}

}  // namespace berth
