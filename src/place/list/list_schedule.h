// Earliest-task-first list scheduling, the engine of `etf` and `sct`.
//
// Among all ready ops and the devices with room for them, place the pair with the earliest
// effective start. Then see which ops became ready, and repeat. The effective start is the start
// plus what the op loses on that device compared with its fastest one (for the first op of a
// colocation group: what the whole group loses). On equal devices this is the plain earliest start
// of ETF. On unequal ones it keeps an idle CPU from taking work that a GPU would finish much
// earlier. Ties go to the op with the higher upward rank, then to the lower device.
//
// Starts follow from ScheduleState, so they account for transfers, occupied links, colocation and
// memory. Links get busier while an op waits in the queue, so the op on top is checked and put back
// if it would start later than its key says. After 64 such corrections in one step the op on top is
// taken as it is.
//
// With favourite children (see sct.h), a device that has just run an op stays reserved for that
// op's favourite child until the op's output could have reached any other device. Until then only
// the favourite child and ops whose data is already on every device may start there. Only the
// favourite and the op on top of the device's queue are looked at, so an urgent op deeper in the
// queue may be missed.
//
// O((ops x log ops + edges) x devices) time; O(ready ops x devices) memory.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "place/evaluator.h"
#include "place/list/upward_rank.h"

namespace berth::place {

struct ListSchedule {
  std::vector<DeviceId> placement;
  std::vector<double> priority;  // by planned start
};

struct ListInputs {
  const UpwardRanks& ranks;
  // By op, none where it has none; empty for plain earliest task first.
  std::span<const OpId> favourite_children = {};
};

ListSchedule earliest_start_schedule(const Problem& problem, const ListInputs& inputs,
                                     std::span<const std::int64_t> limits);

// Runs `schedule` within memory (evaluator.h) and considers its placements; where the request asks
// for schedules, with the planned priorities as well.
void consider_schedules(const Problem& problem, const Request& request, Evaluator& evaluator,
                        const std::function<ListSchedule(std::span<const std::int64_t>)>& schedule);

// The last step of a heuristic that estimates memory: if its best plan does not fit, groups are
// moved until it does (memory_repair.h). The remark says what was wrong.
Placed finish_heuristic(const Problem& problem, Evaluator& evaluator);

}  // namespace berth::place
