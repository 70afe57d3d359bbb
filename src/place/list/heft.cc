#include "place/list/heft.h"

#include "place/list/finish_schedule.h"

namespace berth::place {
namespace {

Placed place_by_finish(const Problem& problem, const Request& request, const Options& options) {
  Evaluator evaluator(problem, request);
  const UpwardRanks ranks = upward_ranks(problem);
  const std::string& links = options.text("links");
  for (const bool contention : {true, false}) {
    if (links == (contention ? "ideal" : "shared")) continue;
    consider_schedules(problem, request, evaluator, [&](std::span<const std::int64_t> limits) {
      return earliest_finish_schedule(problem, {.ranks = ranks, .contention = contention}, limits);
    });
    if (evaluator.exhausted()) break;
  }
  return finish_heuristic(problem, evaluator);
}

}  // namespace

Placer heft_placer() {
  return {.name = "heft",
          .summary = "heterogeneous earliest finish time: by rank, where each op finishes first",
          .reference = "Topcuoglu, Hariri, Wu, IEEE TPDS 2002",
          .options = {{.name = "links",
                       .type = OptionSpec::Type::choice,
                       .default_value = "both",
                       .sentence = "How transfers are planned: they queue for links (shared), "
                                   "never wait (ideal, as published), or the better of both.",
                       .choices = {"both", "shared", "ideal"}}},
          .place = place_by_finish,
          .asks_every_device = true};
}

}  // namespace berth::place
