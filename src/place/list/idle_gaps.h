// The idle time of one slot of a device, for schedulers that insert ops between others.
//
// Gaps form a search tree by their begin (a treap: its shape is random, from a fixed seed). Every
// node knows the longest gap in its subtree, so the first gap after some time that is long enough
// is found without looking at shorter ones: O(log gaps) per call.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"

namespace berth::place {

class IdleGaps {
 public:
  // All time from 0 on is idle.
  IdleGaps();

  // The earliest start, not before `ready_seconds`, of an idle interval of that length. Something
  // that takes no time fits at once.
  double earliest(double ready_seconds, double length_seconds) const;
  // Occupies start .. end, which must be idle, as found by earliest().
  void take(double start_seconds, double end_seconds);

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  struct Node {
    double begin, end;
    double longest;  // gap in this subtree
    std::uint64_t weight;
    std::uint32_t left = kNone, right = kNone;
  };

  double longest(std::uint32_t node) const { return node == kNone ? -1 : nodes_[node].longest; }
  void update(std::uint32_t node);
  std::uint32_t make(double begin, double end);
  std::uint32_t merge(std::uint32_t left, std::uint32_t right);
  // Splits into gaps that begin before the time, and the others.
  void split(std::uint32_t node, double seconds, std::uint32_t& left, std::uint32_t& right);
  // The first gap in the subtree that begins at or after `from` and is long enough.
  std::uint32_t first_fitting(std::uint32_t node, double from, double length) const;
  std::uint32_t last_before(double seconds) const;
  void add(double begin, double end);
  void remove(std::uint32_t gap);

  Random random_;
  std::vector<Node> nodes_;
  std::uint32_t unused_ = kNone;  // nodes free for use again, chained by `left`
  std::uint32_t root_ = kNone;
};

}  // namespace berth::place
