// Tasks that one machine has to work off, each available from its head, each followed by its tail:
// when can the last tail end at the earliest, if tasks could be interrupted?
//
// Jackson's preemptive schedule, of the tasks at hand always the one with the longest tail, is
// optimal, and equals the maximum over all sets of tasks of (least head + sum of lengths + least
// tail). A device with one slot, a channel, and the whole cluster with its work priced are all such
// machines (Carlier 1982). O(tasks log tasks).
#pragma once

#include <vector>

namespace berth {

struct Task {
  double head = 0;
  double length = 0;
  double tail = 0;
};

class OneMachine {
 public:
  void clear() { tasks_.clear(); }
  void add(const Task& task) { tasks_.push_back(task); }
  bool empty() const { return tasks_.empty(); }
  std::size_t size() const { return tasks_.size(); }
  void shrink(std::size_t size) { tasks_.resize(size); }

  // Infinite heads or tails give infinity.
  double least_end();
  // No less than least_end() and quick, to see whether that can matter.
  double most_end() const;

 private:
  std::vector<Task> tasks_;
  std::vector<Task> order_;  // by head
  std::vector<Task> open_;   // heap by tail; lengths are what is left
};

}  // namespace berth
