// The state of the devices while a policy places one item after the other: which items each device
// has so far, and what follows from that. The published systems see only the last device they
// chose; with features=full ours read this as well.
//
// For every device, eight numbers about placing the next item there:
//   0  share of the bytes the item reads from placed items, or makes for them, that would not move
//   1  seconds that the other bytes would take to move, log against the mean item's work
//   2  work on the device so far, in even shares of the whole (1 is an even share)
//   3  number 2 minus its mean over devices
//   4  bytes on the device with the item, against what it may use (at most 4)
//   5  how much later than on the best device the item would end, log against the mean item
//   6  how long the device would wait for what the item reads, likewise
//   7  whether the item before is there; in later rounds, whether the item itself is
// A tensor that was sent to a device for one item is there for all items.
// End times are those of a list scheduler: a device runs its items one after the other in the order
// they are placed, each when its inputs have arrived; between two devices one tensor moves at a
// time. There may be several rounds: from the second on, every item is removed from its device and
// placed again while all others stay; the schedule begins anew. Everything follows from the devices
// chosen so far, so stored decisions give the same numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/graph.h"
#include "learn/features.h"
#include "learn/tensor_groups.h"

namespace berth::learn {

// Items in the order they are placed.
struct LedgerItems {
  std::size_t device_count = 0;
  std::vector<double> seconds;             // items x devices
  std::vector<std::uint8_t> allowed;       // items x devices
  std::vector<double> bytes;               // items
  std::vector<TensorGroup> tensor_groups;  // that move between them
  Rows<std::uint32_t> reads;               // by item: tensor_groups
  Rows<std::uint32_t> makes;               // likewise
  const Features* features = nullptr;      // for what concerns devices and the whole

  std::size_t size() const { return bytes.size(); }
};

// Every unit an item by itself.
LedgerItems ledger_items(const Features& features, std::vector<TensorGroup> tensor_groups);
// Units sorted into groups.
LedgerItems ledger_items(const Features& features, const std::vector<TensorGroup>& tensor_groups,
                         const std::int64_t* group_of_unit, std::size_t groups);

class Ledger {
 public:
  static constexpr std::size_t kNumbers = 8;
  static constexpr std::size_t kFilled = 4;
  static constexpr std::size_t kLater = 5;
  static constexpr std::size_t kMarked = 7;

  explicit Ledger(const LedgerItems& items);

  // kNumbers for each device about the item that comes next, rows `stride` apart.
  template <class Real>
  void read(Real* numbers, std::size_t stride) const {
    look();
    for (std::size_t device = 0; device < items_.device_count; ++device) {
      for (std::size_t i = 0; i < kNumbers; ++i) {
        numbers[device * stride + i] = static_cast<Real>(numbers_[device * kNumbers + i]);
      }
    }
  }
  void place(std::size_t device);
  // All items are placed; the next one is the first again.
  void begin_round();

 private:
  static constexpr std::uint32_t kNowhere = UINT32_MAX;

  void look() const;
  void weigh_moves() const;    // into moved_, bring_ and handled_
  void find_arrivals() const;  // of all the next item reads, by device, into arrivals_
  // When a tensor group that the next item reads is on the device; `channel` is when the way there
  // from its maker's device is free, and is moved on.
  double arrival(std::uint32_t tensor_group, std::size_t device, double& channel) const;
  void take_next();  // from where it is
  void add(std::size_t item, std::size_t device, int sign);

  const LedgerItems& items_;
  std::size_t next_ = 0;
  bool first_round_ = true;
  std::uint32_t was_ = kNowhere;  // in later rounds: where the next item was
  std::vector<std::uint32_t> device_of_;
  std::vector<std::uint32_t> readers_;  // tensor_groups x devices: items there that read it
  std::vector<double> work_, bytes_;    // by device
  double total_work_ = 0;
  // The schedule of this round.
  std::vector<double> free_;   // by device: when it has done its items
  std::vector<double> ends_;   // by item
  std::vector<double> there_;  // tensor_groups x devices: since when; infinite where not sent yet
  std::vector<double> channels_;  // devices x devices: when the way is free
  // For one look.
  mutable double handled_ = 0;  // bytes that could move
  mutable std::vector<double> numbers_, moved_, bring_, arrivals_, trial_channels_;
};

}  // namespace berth::learn
