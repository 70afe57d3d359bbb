// What placeto knows at each decision with features=full: the state of each device as a
// DeviceScorer reads it, while the units of a placement are visited one after the other. Every unit
// is where it was until its visit and where it was put after it, so a step sees what it would
// improve: loads, memory and neighbours of the placement as it stands (ledger.h, a second round).
// When units would end is by the schedule of those visited so far.
#pragma once

#include <cstdint>

#include "learn/agents/parts.h"

namespace berth::learn {

class PlacementState {
 public:
  // `placement`: the device of every unit before the first visit.
  PlacementState(const Case& of, const std::int64_t* placement) : of_(of), ledger_(of.ledger) {
    for (std::size_t unit = 0; unit < of.features.units; ++unit) {
      ledger_.place(static_cast<std::size_t>(placement[unit]));
    }
    ledger_.begin_round();
  }

  // The numbers for the unit that decides next, into [devices, DeviceScorer::kInputs].
  template <class Real>
  void look(Real* numbers) const {
    ledger_.read(numbers, DeviceScorer::kInputs);
    copy_pairs(of_, unit_, numbers);
  }

  void place(std::size_t device) {
    ledger_.place(device);
    ++unit_;
  }

 private:
  const Case& of_;
  Ledger ledger_;
  std::size_t unit_ = 0;
};

}  // namespace berth::learn
