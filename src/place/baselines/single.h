// single: everything on one device, the fastest that holds it.
//
// The baseline that every split must beat: no transfers, and no parallelism. Each device is tried
// (of equal ones the first) and simulated. The shortest step that fits wins; when none fits, the
// one with the fewest bytes over. An op that may not run on the device goes to its fastest allowed
// one, as in TensorFlow's soft placement.
//
//   single            the best device of all
//   single:kind=gpu   the best of the devices with that kind, model or name
//
// One evaluation per device, O(ops) each. Devices are tried in order of their summed op times, so
// that a budget too small for all tries the most promising first.
#pragma once

#include <vector>

#include "place/evaluator.h"

namespace berth::place {

// Considers the plan of each device, as described above. Shared with `cpu`.
void consider_each_alone(const Problem& problem, Evaluator& evaluator,
                         std::vector<DeviceId> devices);

Placer single_placer();

}  // namespace berth::place
