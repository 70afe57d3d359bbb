// Earliest-finish-time list scheduling, the engine of `heft` (heft.h says how it goes).
//
// With blocks, groups that belong together follow the first of them that is placed, as long as
// they may and fit: the same schedule on a coarser graph. A search starts from those.
#pragma once

#include <cstdint>
#include <span>

#include "place/list/list_schedule.h"

namespace berth::place {

struct FinishInputs {
  static constexpr std::uint32_t kAlone = 0xffffffffu;

  const UpwardRanks& ranks;
  bool contention = true;    // transfers queue for channels
  double travel_factor = 1;  // see schedule_state.h
  // How many times over the choice of a device counts the longest transfer that it would begin, for
  // what the transfer delays later on. The schedule itself keeps to real times: with a travel
  // factor it would see idle devices that are not idle.
  double travel_weight = 0;
  std::span<const std::uint32_t> block_of = {};  // by group, or kAlone; empty when all are alone
};

ListSchedule earliest_finish_schedule(const Problem& problem, const FinishInputs& inputs,
                                      std::span<const std::int64_t> limits);

}  // namespace berth::place
