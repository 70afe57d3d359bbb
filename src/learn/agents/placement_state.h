// What placeto knows at each decision with features=full: the state of each device as a
// DeviceScorer reads it, while the units of a placement are visited one after the other.
//
// Units that have not been visited yet do not count. Otherwise every unit would be drawn to the
// device of the many that have not moved, and nothing would move. The mark tells which device the
// unit has.
#pragma once

#include <algorithm>
#include <cstdint>

#include "learn/agents/parts.h"

namespace berth::learn {

class PlacementState {
 public:
  // `placement`: the device of every unit before the first visit.
  PlacementState(const Case& of, const std::int64_t* placement)
      : of_(of), ledger_(of.ledger), before_(placement) {}

  // The numbers for the unit that decides next, into [devices, DeviceScorer::kInputs].
  template <class Real>
  void look(Real* numbers) const {
    const std::size_t devices = of_.features.device_count;
    std::fill_n(numbers, devices * DeviceScorer::kInputs, Real(0));
    ledger_.read(numbers, DeviceScorer::kInputs);
    copy_pairs(of_, unit_, numbers);
    // The ledger's own mark is on the device that was chosen last.
    const auto now = static_cast<std::size_t>(before_[unit_]);
    for (std::size_t device = 0; device < devices; ++device) {
      numbers[device * DeviceScorer::kInputs + DeviceScorer::kMarked] = device == now ? 1 : 0;
    }
  }

  void place(std::size_t device) {
    ledger_.place(device);
    ++unit_;
  }

 private:
  const Case& of_;
  Ledger ledger_;
  const std::int64_t* before_;
  std::size_t unit_ = 0;
};

}  // namespace berth::learn
