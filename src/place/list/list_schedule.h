// Earliest-task-first list scheduling, the engine of `etf` and `sct`.
//
// Among all ready ops and the devices with room for them, place the pair with the earliest
// effective start, then see which ops became ready, and so on. The effective start is the start
// plus what the op loses on that device against its fastest one (for the first op of a colocation
// group: what the whole group loses). On equal devices that is the plain earliest start of ETF; on
// unequal ones it keeps an idle CPU from grabbing work that a GPU would finish long before it. Ties
// go to the op with the higher upward rank, then to the lower device.
//
// Starts follow from ScheduleState, so they know of transfers, of links in use, of colocation and
// of memory. Links get busier while an op waits, so an op at the top is checked and put back when
// it would start later than it claimed. After 64 such corrections in one step the op at the top is
// taken as it is.
//
// With favourite children (see sct.h) a device that has just run an op stays free for that op's
// favourite child until the op's output could have reached any other device: till then only the
// favourite child and ops whose data is on every device already may start there. Only the
// favourite and the op at the top of the device's queue are looked at, so an urgent op deeper down
// may be missed.
//
// O((ops x log ops + edges) x devices) time; memory is O(ready ops x devices).
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

// Closes a heuristic that estimates memory: when its best plan does not fit after all, groups are
// moved until it does (memory_repair.h). The remark says what was wrong.
Placed finish_heuristic(const Problem& problem, Evaluator& evaluator);

}  // namespace berth::place
