// Where a step loses its time: the parts of its critical path that another placement could remove.
//
// A transfer on the path disappears when its two ends share a device. A wait for a device
// disappears when the op that waits, or one of those it waits for, goes to another device, or when
// it goes before them. All are weighted by their seconds, so that a search which draws from them
// spends its moves where the time is lost.
#pragma once

#include <vector>

#include "base/random.h"
#include "plan/plan.h"
#include "sim/timeline.h"

namespace berth::place {

struct Meeting {  // two groups that should share a device
  GroupId one, other;
};
struct Crowding {  // a group that should leave its device
  GroupId group;
};
struct Overtaking {  // an op that should go before another
  OpId op, over;
};

// Items drawn with a probability in proportion to their seconds.
template <class T>
class Weighted {
 public:
  void add(const T& item, double seconds) {
    if (seconds <= 0) return;
    items_.push_back(item);
    sums_.push_back((sums_.empty() ? 0 : sums_.back()) + seconds);
  }
  bool empty() const { return items_.empty(); }
  const T& draw(Random& random) const;

 private:
  std::vector<T> items_;
  std::vector<double> sums_;
};

struct HotSpots {
  Weighted<Meeting> meetings;
  Weighted<Crowding> crowdings;
  Weighted<Overtaking> overtakings;
};

HotSpots find_hot_spots(const Problem& problem, const Plan& plan, const Timeline& timeline);

}  // namespace berth::place
