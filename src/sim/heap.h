// A binary min-heap over storage that somebody else owns, so that the heaps of all devices can
// share one array and none ever allocates. Entries order themselves by operator<, which should
// compile without branches: the comparisons of a heap are coin tosses to a branch predictor.
#pragma once

#include <cstdint>

namespace berth {

template <class Entry>
class Heap {
 public:
  Heap() = default;
  explicit Heap(Entry* storage) : items_(storage) {}

  bool empty() const { return size_ == 0; }
  std::uint32_t size() const { return size_; }
  const Entry& top() const { return items_[0]; }
  // By level: the top, then the two of which one will be the top next, then four, and so on.
  const Entry& at(std::uint32_t i) const { return items_[i]; }

  // True when the new entry is the top.
  bool push(const Entry& entry) {
    std::uint32_t hole = size_++;
    while (hole > 0) {
      const std::uint32_t parent = (hole - 1) / 2;
      if (!(entry < items_[parent])) break;
      items_[hole] = items_[parent];
      hole = parent;
    }
    items_[hole] = entry;
    return hole == 0;
  }

  // Sinks the hole to a leaf along the smaller children and lets the last entry rise from there: it
  // came from a leaf, so it rarely rises far, and the way down needs one comparison a level.
  void pop() {
    const std::uint32_t size = --size_;
    if (size == 0) return;
    const Entry last = items_[size];
    std::uint32_t hole = 0;
    std::uint32_t child = 1;
    while (child + 1 < size) {
      child += static_cast<std::uint32_t>(items_[child + 1] < items_[child]);
      items_[hole] = items_[child];
      hole = child;
      child = 2 * hole + 1;
    }
    if (child < size) {
      items_[hole] = items_[child];
      hole = child;
    }
    while (hole > 0) {
      const std::uint32_t parent = (hole - 1) / 2;
      if (!(last < items_[parent])) break;
      items_[hole] = items_[parent];
      hole = parent;
    }
    items_[hole] = last;
  }

 private:
  Entry* items_ = nullptr;
  std::uint32_t size_ = 0;
};

}  // namespace berth
