// The best plan known for the time given: what the other placers make and schedules of coarser
// graphs (search/starts.h), then parallel annealing from the best of them (search/chains.h), which
// moves blocks from single groups to whole layers (search/families.h), most of them where the
// critical path loses its time (search/hot_spots.h).
//
// The phases, each of which can be skipped (search/phases.h): policy, portfolio, enumeration,
// coarse_schedules, annealing. Where there are so few plans that all can be tried, they are
// (search/enumeration.h), and nothing is left for the phases after that. A plan within the
// request's gap of the lower bound ends the search.
#pragma once

#include "place/placer.h"

namespace berth::place {

inline constexpr const char* kNoPolicy = "none";  // of the option `policy`

Placer auto_placer();

}  // namespace berth::place
