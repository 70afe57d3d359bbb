// single: everything on one device, the fastest that holds it.
//
// The baseline every split must beat: no transfer at all, no parallelism either. Each device is
// tried (of equal ones the first) and judged by the simulator; the shortest step that fits wins,
// and when none fits, the one least over. An op that may not run on the device goes to its fastest
// allowed one, as TensorFlow's soft placement does.
//
//   single            the best device there is
//   single:kind=gpu   the best of the devices with that kind, model or name
//
// One evaluation per device, O(ops) each. Devices come in order of their summed op times, so a
// budget too small for all still sees the most promising first.
#pragma once

#include <vector>

#include "place/evaluator.h"

namespace berth::place {

// Considers the plan of each device, as described above. Shared with `cpu`.
void consider_each_alone(const Problem& problem, Evaluator& evaluator,
                         std::vector<DeviceId> devices);

Placer single_placer();

}  // namespace berth::place
