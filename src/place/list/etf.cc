#include "place/list/etf.h"

#include "place/list/list_schedule.h"

namespace berth::place {
namespace {

Placed place_earliest_first(const Problem& problem, const Request& request, const Options&) {
  Evaluator evaluator(problem, request);
  const UpwardRanks ranks = upward_ranks(problem);
  const ListInputs inputs{ranks};
  consider_schedules(problem, request, evaluator, [&](std::span<const std::int64_t> limits) {
    return earliest_start_schedule(problem, inputs, limits);
  });
  return finish_heuristic(problem, evaluator);
}

}  // namespace

Placer etf_placer() {
  return {.name = "etf",
          .summary = "earliest task first within memory: next the op and device that start soonest",
          .reference = "Jeon et al., Baechi, SoCC 2020 (m-ETF); Hwang et al., SIAM J. Comput. 1989",
          .options = {},
          .place = place_earliest_first,
          .asks_every_device = true};
}

}  // namespace berth::place
