// What a policy that decides unit by unit has before its eyes: the state of each device as a
// StateJudge reads it, while the units of a plan are placed one after the other, round after round.
// With features=paper it is only, from the second round on, where the unit is now.
#pragma once

#include <vector>

#include "learn/agents/parts.h"

namespace berth {

class Scene {
 public:
  Scene(const Case& of, bool full)
      : of_(of), full_(full), ledger_(of.ledger), chosen_(of.features.units) {}

  // Of the unit that decides next, into [devices, StateJudge::kInputs].
  template <class Real>
  void look(Real* numbers) const {
    const std::size_t devices = of_.features.device_count;
    std::fill_n(numbers, devices * StateJudge::kInputs, Real(0));
    if (!full_) {
      if (again_) numbers[chosen_[unit_] * StateJudge::kInputs + StateJudge::kMarked] = 1;
      return;
    }
    ledger_.read(numbers, StateJudge::kInputs);
    copy_pairs(of_, unit_, numbers);
  }

  // After the last unit comes the first again.
  void place(std::size_t device) {
    chosen_[unit_] = device;
    if (full_) ledger_.place(device);
    if (++unit_ < chosen_.size()) return;
    unit_ = 0;
    again_ = true;
    if (full_) ledger_.begin_round();
  }

 private:
  const Case& of_;
  bool full_;
  Ledger ledger_;
  std::vector<std::size_t> chosen_;
  std::size_t unit_ = 0;
  bool again_ = false;
};

}  // namespace berth
