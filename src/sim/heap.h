// A binary min-heap over storage owned by the caller, so that the heaps of all devices can share
// one array and never allocate. Entries are ordered by operator<, which should compile without
// branches: the result of a comparison in a heap is close to random, which defeats branch
// prediction. push and pop are O(log size). The caller makes sure that the storage is large enough.
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
  // In heap order: the top, then the two entries of which one is the next top, then four, and so
  // on.
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

  // Moves the hole down to a leaf along the smaller children and lets the last entry rise from
  // there. The last entry comes from a leaf, so it rarely rises far, and the way down needs one
  // comparison per level instead of two.
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
