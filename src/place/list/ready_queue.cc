#include "place/list/ready_queue.h"

#include <algorithm>

namespace berth::place {
namespace {

// Heaps of the standard library have the largest on top, so "worse" comes first.
bool comes_later(const ReadyQueue::Entry& left, const ReadyQueue::Entry& right) {
  if (left.key != right.key) return left.key > right.key;
  return left.order > right.order;
}

void push_entry(std::vector<ReadyQueue::Entry>& heap, const ReadyQueue::Entry& entry) {
  heap.push_back(entry);
  std::push_heap(heap.begin(), heap.end(), comes_later);
}

ReadyQueue::Entry pop_entry(std::vector<ReadyQueue::Entry>& heap) {
  std::pop_heap(heap.begin(), heap.end(), comes_later);
  const ReadyQueue::Entry entry = heap.back();
  heap.pop_back();
  return entry;
}

}  // namespace

ReadyQueue::Heap& ReadyQueue::entrance(std::uint32_t channel) {
  for (Entrance& known : entrances_) {
    if (known.channel == channel) return known.heap;
  }
  entrances_.push_back({channel, {}});
  return entrances_.back().heap;
}

void ReadyQueue::push(Entry entry) {
  // An op can start at the latest of three times: its data arrives, the device is free, the channel
  // into the device is free and the data has passed it. The last two grow for all ops alike. So
  // within one heap, where the same time decides for all, the order never changes and nothing has
  // to be sorted again.
  entry.key = entry.data_seconds + entry.penalty_seconds;
  push_entry(waiting_, entry);
  ++size_;
}

// Moves entries from the first two heaps to another as long as their key is no longer the time that
// decides.
void ReadyQueue::settle(double device_free, std::span<const double> channel_free) {
  const auto held_up_at_entrance = [&](const Entry& entry, double otherwise) {
    return entry.entrance != kNoEntrance &&
           channel_free[entry.entrance] + entry.travel_seconds > otherwise;
  };
  const auto move_to_entrance = [&](Heap& from) {
    Entry entry = pop_entry(from);
    entry.key = entry.travel_seconds + entry.penalty_seconds;
    push_entry(entrance(entry.entrance), entry);
  };
  while (!waiting_.empty()) {
    const Entry& top = waiting_.front();
    if (held_up_at_entrance(top, std::max(top.data_seconds, device_free))) {
      move_to_entrance(waiting_);
    } else if (top.data_seconds <= device_free) {
      Entry entry = pop_entry(waiting_);
      entry.key = entry.penalty_seconds;
      push_entry(startable_, entry);
    } else {
      break;
    }
  }
  while (!startable_.empty() && held_up_at_entrance(startable_.front(), device_free)) {
    move_to_entrance(startable_);
  }
}

ReadyQueue::Candidate ReadyQueue::top(double device_free, std::span<const double> channel_free) {
  settle(device_free, channel_free);
  Candidate best{};
  top_ = nullptr;
  const auto offer = [&](Heap& heap, double start) {
    const Entry& entry = heap.front();
    const double effective = start + entry.penalty_seconds;
    const bool wins = top_ == nullptr || effective < best.effective_seconds ||
                      (effective == best.effective_seconds && entry.order < best.order);
    if (!wins) return;
    best = {effective, entry.data_seconds, entry.order};
    top_ = &heap;
  };
  // The best entry of all is the best of the tops.
  if (!waiting_.empty()) offer(waiting_, waiting_.front().data_seconds);
  if (!startable_.empty()) offer(startable_, device_free);
  for (Entrance& known : entrances_) {
    if (known.heap.empty()) continue;
    offer(known.heap,
          std::max(device_free, channel_free[known.channel] + known.heap.front().travel_seconds));
  }
  return best;
}

void ReadyQueue::pop() {
  pop_entry(*top_);
  --size_;
}

}  // namespace berth::place
