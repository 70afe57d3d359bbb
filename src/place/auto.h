// The best plan known for the time given: a portfolio of the other placers, then parallel annealing
// from what they found (search/annealer.h), on families of clusters from single groups to whole
// layers (search/families.h).
//
// Where there are so few placements that all can be tried, they are. Otherwise chains run in
// rounds. A round gives every chain the same number of steps at a temperature that falls from round
// to round; between rounds a chain that has fallen behind takes over the best plan. The number of
// chains does not depend on the number of threads, and results are gathered in order of chains, so
// that a budget in evaluations gives one plan on any machine. Where the schedule may be chosen too,
// half of the chains give ops priorities by the length of the way that is left from them to the
// end.
#pragma once

#include "place/placer.h"

namespace berth {

Placer auto_placer();

}  // namespace berth
