#include "place/groups/joined_segments.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>
#include <utility>

namespace berth::place {
namespace {

// A part this small of 2/N does not make a pair wait.
constexpr double kNextToNothing = 0.01;

// Segments are named by their first item. [begin, middle) and [middle, end) are the two to join.
struct Pair {
  double overload = 1;  // factor by which it exceeds 2/N; 1 where it does not
  double seconds = 0;
  std::uint32_t weight = 0;
  std::uint32_t begin = 0;
  std::uint32_t middle = 0;
  std::uint32_t end = 0;

  // `begin` breaks all ties, so the result does not depend on the heap.
  auto rank() const { return std::tie(overload, seconds, weight, begin); }
  bool operator>(const Pair& other) const { return rank() > other.rank(); }
};

class Joining {
 public:
  Joining(const std::vector<SegmentItem>& items, const Rows<SegmentEdge>& edges, std::size_t most)
      : edges_(edges),
        segments_(items),
        ends_(items.size()),
        begins_(items.size()),
        between_(items.size(), 0.0),
        count_(items.size()),
        most_(most) {
    for (std::uint32_t item = 0; item < items.size(); ++item) {
      ends_[item] = item + 1;
      begins_[item] = item;
    }
    for (std::uint32_t item = 0; item + 1 < items.size(); ++item) {
      between_[item] = transfer_between(item, item + 1);
      offer(item);
    }
  }

  std::vector<std::uint32_t> run() {
    while (count_ > most_ && !pairs_.empty()) {
      const Pair pair = pairs_.top();
      pairs_.pop();
      // A pair of which a side has grown since is outdated; a newer one has been queued. Skipping
      // it costs less than removing it from the middle of the heap.
      if (ends_[pair.begin] == pair.middle && ends_[pair.middle] == pair.end) join(pair);
    }
    std::vector<std::uint32_t> numbers(ends_.size());
    std::uint32_t number = 0;
    for (std::uint32_t begin = 0; begin < ends_.size(); begin = ends_[begin], ++number) {
      for (std::uint32_t item = begin; item < ends_[begin]; ++item) numbers[item] = number;
    }
    return numbers;
  }

 private:
  // Queues the pair of the segment and the one behind it, if they may be joined.
  void offer(std::uint32_t begin) {
    const std::uint32_t middle = ends_[begin];
    if (middle == ends_.size()) return;
    const SegmentItem& left = segments_[begin];
    const SegmentItem& right = segments_[middle];
    if (left.device_set != right.device_set) return;
    pairs_.push({.overload = overload(left, right),
                 .seconds = left.work_seconds + right.work_seconds - between_[begin],
                 .weight = left.weight + right.weight,
                 .begin = begin,
                 .middle = middle,
                 .end = ends_[middle]});
  }

  double overload(const SegmentItem& left, const SegmentItem& right) const {
    const double fair = 2 / static_cast<double>(most_);
    double most_over = 1;
    for (std::size_t k = 0; k < left.shares.size(); ++k) {
      if (std::min(left.shares[k], right.shares[k]) <= kNextToNothing * fair) continue;
      most_over = std::max(most_over, (left.shares[k] + right.shares[k]) / fair);
    }
    return most_over;
  }

  void join(const Pair& pair) {
    SegmentItem& joined = segments_[pair.begin];
    const SegmentItem& right = segments_[pair.middle];
    joined.work_seconds += right.work_seconds;
    for (std::size_t k = 0; k < joined.shares.size(); ++k) joined.shares[k] += right.shares[k];
    joined.weight += right.weight;
    const bool has_before = pair.begin > 0;
    const bool has_behind = pair.end < ends_.size();
    const std::uint32_t before = has_before ? begins_[pair.begin - 1] : 0;
    // Only the transfers that the joining adds are computed, before the ends are changed below.
    if (has_before) between_[before] += transfer_between(before, pair.middle);
    if (has_behind) {
      between_[pair.begin] = between_[pair.middle] + transfer_between(pair.begin, pair.end);
    }
    ends_[pair.begin] = pair.end;
    ends_[pair.middle] = 0;  // no segment any more
    begins_[pair.end - 1] = pair.begin;
    --count_;
    if (has_before) offer(before);
    if (has_behind) offer(pair.begin);
  }

  double transfer_between(std::uint32_t left, std::uint32_t right) const {
    if (edge_count(left) > edge_count(right)) std::swap(left, right);
    double seconds = 0;
    for (std::uint32_t at = edges_.begins[left]; at < edges_.begins[ends_[left]]; ++at) {
      const SegmentEdge& edge = edges_.items[at];
      if (edge.to >= right && edge.to < ends_[right]) seconds += edge.transfer_seconds;
    }
    return seconds;
  }

  std::uint32_t edge_count(std::uint32_t begin) const {
    return edges_.begins[ends_[begin]] - edges_.begins[begin];
  }

  const Rows<SegmentEdge>& edges_;
  std::vector<SegmentItem> segments_;  // by first item, what it holds together
  std::vector<std::uint32_t> ends_;    // by first item, one past the last
  std::vector<std::uint32_t> begins_;  // by last item, the first
  std::vector<double> between_;        // by first item, transfer to the segment behind
  std::size_t count_;
  std::size_t most_;
  std::priority_queue<Pair, std::vector<Pair>, std::greater<>> pairs_;
};

}  // namespace

std::vector<std::uint32_t> join_segments(const std::vector<SegmentItem>& items,
                                         const Rows<SegmentEdge>& edges, std::size_t most) {
  return Joining(items, edges, most).run();
}

}  // namespace berth::place
