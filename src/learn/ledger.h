// What a policy that places one item after the other can know of the devices when it decides: what
// it has put where so far. The published systems see only the last device they chose; with
// features=full ours see this as well.
//
// For every device, six numbers about putting the item there:
//   0  share of the item's traffic with placed items that would stay on the device
//   1  seconds to bring the rest over, log against the mean item's work
//   2  work on the device so far, in even shares of the whole (1 is a fair share)
//   3  that less the mean over devices
//   4  bytes on it with the item, against what it may use (at most 4)
//   5  whether the item before is there; in later rounds, whether the item itself is
// A ledger may be gone through in rounds: from the second on every item is taken from where it is
// and placed again, all others being where they are.
// All follow from the devices chosen so far, so stored decisions give the same numbers again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/graph.h"
#include "learn/features.h"

namespace berth {

struct Traffic {
  std::uint32_t item = 0;
  double bytes = 0;  // either way
};

// Items in the order they are placed.
struct LedgerItems {
  std::size_t device_count = 0;
  std::vector<double> seconds;         // items x devices
  std::vector<double> bytes;           // items
  Rows<Traffic> traffic;               // by item: the others it has traffic with
  const Features* features = nullptr;  // for what concerns devices and the whole

  std::size_t size() const { return bytes.size(); }
};

// Every unit an item by itself.
LedgerItems ledger_items(const Features& features, const Units& units);
// Units sorted into groups.
LedgerItems ledger_items(const Features& features, const Units& units,
                         const std::int64_t* group_of_unit, std::size_t groups);

class Ledger {
 public:
  static constexpr std::size_t kNumbers = 6;

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
  void take_next();  // from where it is
  void add(std::size_t item, std::size_t device, double sign);

  const LedgerItems& items_;
  std::size_t next_ = 0;
  bool first_round_ = true;
  std::uint32_t was_ = kNowhere;  // in later rounds: where the next item was
  std::vector<std::uint32_t> device_of_;
  std::vector<double> work_, bytes_;  // by device
  double total_work_ = 0;
  mutable std::vector<double> numbers_, near_;
};

}  // namespace berth
