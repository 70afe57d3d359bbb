// Earliest-finish-time list scheduling, the engine of `heft` (described in heft.h).
//
// With blocks, the groups of a block follow the first of them that is placed, as long as they may
// and fit. This is the same schedule on a coarser graph. The search starts from such schedules.
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
  // How strongly the choice of a device counts the longest transfer that it would begin, as a
  // factor, for what the transfer delays later on. The schedule itself keeps real times: scaled
  // transfers would make it see idle devices that are not idle.
  double travel_weight = 0;
  std::span<const std::uint32_t> block_of = {};  // by group, or kAlone; empty when all are alone
};

ListSchedule earliest_finish_schedule(const Problem& problem, const FinishInputs& inputs,
                                      std::span<const std::int64_t> limits);

}  // namespace berth::place
