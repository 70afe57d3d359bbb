// What a policy that decides unit by unit knows at each decision: the state of each device as a
// DeviceScorer reads it, while the units of a plan are placed one after the other, possibly in
// several rounds. With features=paper it is only the device that the unit has now.
//
// When a given placement is improved, units that have not been visited yet do not count. Otherwise
// every unit would be drawn to the device of the many that have not moved, and nothing would move.
// The mark tells which device the unit has.
#pragma once

#include <vector>

#include "learn/agents/parts.h"

namespace berth::learn {

class PlacementState {
 public:
  PlacementState(const Case& of, bool full)
      : of_(of), full_(full), ledger_(of.ledger), chosen_(of.features.units) {}
  // To improve a placement, the device of every unit.
  PlacementState(const Case& of, bool full, const std::int64_t* placement)
      : PlacementState(of, full) {
    for (std::size_t unit = 0; unit < chosen_.size(); ++unit) {
      chosen_[unit] = static_cast<std::size_t>(placement[unit]);
    }
    placed_ = true;
  }

  // The numbers for the unit that decides next, into [devices, DeviceScorer::kInputs].
  template <class Real>
  void look(Real* numbers) const {
    const std::size_t devices = of_.features.device_count;
    std::fill_n(numbers, devices * DeviceScorer::kInputs, Real(0));
    if (full_) {
      ledger_.read(numbers, DeviceScorer::kInputs);
      copy_pairs(of_, unit_, numbers);
    }
    if (!placed_) return;
    for (std::size_t device = 0; device < devices; ++device) {
      Real& marked = numbers[device * DeviceScorer::kInputs + DeviceScorer::kMarked];
      marked = device == chosen_[unit_] ? 1 : 0;
    }
  }

  // After the last unit comes the first again.
  void place(std::size_t device) {
    chosen_[unit_] = device;
    if (full_) ledger_.place(device);
    if (++unit_ < chosen_.size()) return;
    unit_ = 0;
    placed_ = true;
    if (full_) ledger_.begin_round();
  }

 private:
  const Case& of_;
  bool full_;
  Ledger ledger_;
  std::vector<std::size_t> chosen_;
  std::size_t unit_ = 0;
  bool placed_ = false;  // whether every unit has a device
};

}  // namespace berth::learn
