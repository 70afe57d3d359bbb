#include "place/list/list_plan.h"

#include <algorithm>
#include <utility>

#include "place/evaluator.h"
#include "place/list/unit_schedule.h"

namespace berth::place {

Plan list_plan(const Problem& problem, const Units& units) {
  const UnitOrder order(problem, units);
  const std::vector<std::int64_t> limits = memory_limits(problem, 1);
  UnitSchedule schedule(order, limits);
  while (!schedule.done()) {
    const auto choices = schedule.choices();
    schedule.decide(std::ranges::min_element(choices, {}, [](const auto& choice) {
                      return std::pair(!choice.fits, choice.finish_seconds);
                    })->device);
  }
  Plan plan;
  plan.placement = schedule.take_placement();
  return plan;
}

}  // namespace berth::place
