#include "bounds/one_machine.h"

#include <algorithm>
#include <limits>

namespace berth::bounds {

double jackson_seconds(std::vector<Job>& jobs, std::vector<Job>& open) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  const auto by_tail = [](const Job& left, const Job& right) { return left.tail < right.tail; };
  std::sort(jobs.begin(), jobs.end(),
            [](const Job& left, const Job& right) { return left.head < right.head; });
  open.clear();  // a heap by tail; work is what is left
  double now = 0;
  double last = 0;
  for (std::size_t next = 0; next < jobs.size() || !open.empty();) {
    if (open.empty()) now = std::max(now, jobs[next].head);
    if (now == kNever) return now;
    while (next < jobs.size() && jobs[next].head <= now) {
      open.push_back(jobs[next++]);
      std::push_heap(open.begin(), open.end(), by_tail);
    }
    // The longest tail first, interrupted when a job with a longer tail arrives: this is optimal
    // where jobs may be interrupted (Jackson 1955; Horn 1974), so no order without interruptions is
    // shorter.
    Job& longest = open.front();
    const double until = next < jobs.size() ? jobs[next].head : kNever;
    if (now + longest.work <= until) {
      now += longest.work;
      last = std::max(last, now + longest.tail);
      std::pop_heap(open.begin(), open.end(), by_tail);
      open.pop_back();
    } else {
      longest.work -= until - now;
      now = until;
    }
  }
  return last;
}

double jackson_seconds(std::vector<Job>& jobs) {
  std::vector<Job> open;
  return jackson_seconds(jobs, open);
}

}  // namespace berth::bounds
