// Runs a placer as it is, whether or not the registry lists it.
#pragma once

#include <string>

#include "place/evaluator.h"
#include "place/placer.h"

namespace berth::place::fixtures {

inline Placed run_placer(const Placer& placer, const Problem& problem,
                         const Request& request = {}) {
  return placer.place(problem, request, Options(placer.name, placer.options, {placer.name, {}}));
}

inline Request with_schedule() {
  Request request;
  request.tasks.schedule = true;
  return request;
}

// The step time with everything on the fastest device.
inline double best_single_seconds(const Problem& problem) {
  Simulator simulator(problem);
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t device = 0; device < problem.device_count(); ++device) {
    const Plan plan{std::vector<DeviceId>(problem.op_count(), DeviceId(device))};
    best = std::min(best, simulator.evaluate(plan).step_seconds);
  }
  return best;
}

}  // namespace berth::place::fixtures
