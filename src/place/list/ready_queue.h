// The ready ops of one device, by how early they could effectively start there.
//
//   effective start = max(data time, device free, entrance free + travel) + penalty
//
// The data time is when the op's inputs are on the device as things stood when it was queued; the
// entrance is the last channel on the way of the input that travels longest, if any has yet to be
// sent; the penalty is what the op loses on this device against its fastest. Only the two "free"
// terms change, and they only grow. So an op waits in a heap by data time + penalty; when the
// device is busy beyond its data time it moves to a heap by penalty; when the entrance is, to a
// heap of that entrance by travel + penalty. In all three the key never exceeds the true value, so
// the least of the tops is found in O(log ops) amortized, plus the number of entrances.
//
// Once in the heap of its entrance an op stays there, so of two such ops held up by the device
// alone the one with less travel + penalty, not with less penalty, comes first. Ops leave lazily:
// the owner drops the top when it is of no use any more.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace berth::place {

class ReadyQueue {
 public:
  static constexpr std::uint32_t kNoEntrance = 0xffffffffu;

  struct Entry {
    double key = 0;
    double data_seconds = 0;
    double penalty_seconds = 0;
    double travel_seconds = 0;
    std::uint32_t entrance = kNoEntrance;  // a channel
    std::uint32_t order = 0;               // place in the order that breaks ties; also names the op
  };
  struct Candidate {
    double effective_seconds;
    double data_seconds;
    std::uint32_t order;
  };

  // The key of the entry is filled in here.
  void push(Entry entry);
  bool empty() const { return size_ == 0; }
  // The best op, given when the device and every channel is free; the queue must not be empty.
  Candidate top(double device_free, std::span<const double> channel_free);
  // Removes what top() last returned.
  void pop();

 private:
  using Heap = std::vector<Entry>;
  struct Entrance {
    std::uint32_t channel;
    Heap heap;
  };

  void settle(double device_free, std::span<const double> channel_free);
  Heap& entrance(std::uint32_t channel);

  std::size_t size_ = 0;
  Heap waiting_;
  Heap startable_;
  std::vector<Entrance> entrances_;  // few: the last channels of the routes to the device
  Heap* top_ = nullptr;
};

}  // namespace berth::place
