#include "place/search/hot_spots.h"

#include <algorithm>

#include "sim/critical_path.h"

namespace berth::place {

template <class T>
const T& Weighted<T>::draw(Random& random) const {
  const double at = random.uniform() * sums_.back();
  const auto found = std::upper_bound(sums_.begin(), sums_.end(), at);
  const auto index = static_cast<std::size_t>(found - sums_.begin());
  // The product may round up to the total, beyond the last item.
  return items_[std::min(index, items_.size() - 1)];
}

template class Weighted<Meeting>;
template class Weighted<Crowding>;
template class Weighted<Overtaking>;

namespace {

// The runs of every device, in order of start.
std::vector<std::vector<const Timeline::OpRun*>> runs_by_device(const Timeline& timeline,
                                                                std::size_t devices) {
  std::vector<std::vector<const Timeline::OpRun*>> runs(devices);
  for (const Timeline::OpRun& run : timeline.ops) runs[run.device.index()].push_back(&run);
  return runs;
}

}  // namespace

HotSpots find_hot_spots(const Problem& problem, const Plan& plan, const Timeline& timeline) {
  const CriticalPath path = find_critical_path(problem, plan, timeline);
  const auto runs = runs_by_device(timeline, problem.device_count());
  HotSpots spots;
  // From the end backwards: the op that a transfer was for is the op seen last.
  OpId next;
  for (auto step = path.steps.rbegin(); step != path.steps.rend(); ++step) {
    switch (step->kind) {
      case CriticalStep::Kind::compute:
        next = step->op;
        break;
      case CriticalStep::Kind::transfer:
      case CriticalStep::Kind::channel_wait:
        if (next.valid() && problem.group(step->op) != problem.group(next)) {
          spots.meetings.add({problem.group(step->op), problem.group(next)}, step->seconds());
        }
        break;
      case CriticalStep::Kind::device_wait: {
        spots.crowdings.add({problem.group(step->op)}, step->seconds());
        const auto& here = runs[step->device.index()];
        // On a device with one slot runs are in order of end as well. With several slots they need
        // not be, and then some ops that shared the wait may be missed, which only weakens the
        // guidance.
        auto run = std::partition_point(here.begin(), here.end(), [&](const auto* at) {
          return at->end_seconds <= step->begin_seconds;
        });
        for (; run != here.end() && (*run)->start_seconds < step->end_seconds; ++run) {
          const double seconds = (*run)->end_seconds - (*run)->start_seconds;
          spots.crowdings.add({problem.group((*run)->op)}, seconds);
          // An op that was already running could not have been overtaken.
          if ((*run)->start_seconds >= step->begin_seconds) {
            spots.overtakings.add({step->op, (*run)->op}, seconds);
          }
        }
        break;
      }
    }
  }
  return spots;
}

}  // namespace berth::place
