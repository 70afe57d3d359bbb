#include "place/list/sct.h"

#include "place/list/favourite_child.h"
#include "place/list/list_schedule.h"

namespace berth::place {
namespace {

Placed place_with_favourites(const Problem& problem, const Request& request, const Options&) {
  Evaluator evaluator(problem, request);
  const UpwardRanks ranks = upward_ranks(problem);
  const Favourites favourites = favourite_children(problem);
  const ListInputs inputs{ranks, favourites.children};
  consider_schedules(problem, request, evaluator, [&](std::span<const std::int64_t> limits) {
    return earliest_start_schedule(problem, inputs, limits);
  });
  return finish_heuristic(problem, evaluator);
}

}  // namespace

Placer sct_placer() {
  return {.name = "sct",
          .summary = "etf that keeps a device free for the child that should follow on it",
          .reference = "Jeon et al., Baechi, SoCC 2020 (m-SCT); Hanen and Munier, 2001",
          .options = {},
          .place = place_with_favourites,
          .asks_every_device = true};
}

}  // namespace berth::place
