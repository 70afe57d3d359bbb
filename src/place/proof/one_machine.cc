#include "place/proof/one_machine.h"

#include <algorithm>
#include <limits>

namespace berth {

double OneMachine::most_end() const {
  double head = 0;
  double tail = 0;
  double length = 0;
  for (const Task& task : tasks_) {
    head = std::max(head, task.head);
    tail = std::max(tail, task.tail);
    length += task.length;
  }
  return head + length + tail;
}

double OneMachine::least_end() {
  const auto by_tail = [](const Task& left, const Task& right) { return left.tail < right.tail; };
  order_ = tasks_;
  std::sort(order_.begin(), order_.end(),
            [](const Task& left, const Task& right) { return left.head < right.head; });
  open_.clear();
  double now = 0;
  double last = 0;
  for (std::size_t next = 0; next < order_.size() || !open_.empty();) {
    if (open_.empty()) now = std::max(now, order_[next].head);
    if (now == std::numeric_limits<double>::infinity()) return now;
    while (next < order_.size() && order_[next].head <= now) {
      open_.push_back(order_[next++]);
      std::push_heap(open_.begin(), open_.end(), by_tail);
    }
    Task& longest = open_.front();
    const double until =
        next < order_.size() ? order_[next].head : std::numeric_limits<double>::infinity();
    if (now + longest.length <= until) {
      now += longest.length;
      last = std::max(last, now + longest.tail);
      std::pop_heap(open_.begin(), open_.end(), by_tail);
      open_.pop_back();
    } else {
      longest.length -= until - now;
      now = until;
    }
  }
  return last;
}

}  // namespace berth
