// Placers that a program registers.
#include <fmt/format.h>

#include "api/call.h"
#include "api/errors.h"
#include "api/impl.h"
#include "base/error.h"
#include "place/evaluator.h"
#include "place/placer.h"

namespace berth::v1 {
namespace {

// What the caller asked for, with the changes of a method in between: `auto` and `exact` give other
// methods a part of their budget and a start plan.
Request request_for(const Call& call, const berth::place::Request& asked) {
  Request request = call.request;
  request.budget = {asked.budget.seconds, asked.budget.evaluations};
  request.seed = asked.seed;
  request.tasks = {asked.tasks.schedule, asked.tasks.fusion};
  request.gap = asked.gap;
  if (asked.start) request.start = outside(*asked.start);
  return request;
}

berth::place::Placed run(const Placer& placer, const berth::Problem& problem,
                         const berth::place::Request& asked) {
  const Call* const call = static_cast<const Call*>(asked.context.get());
  if (!call) throw std::logic_error("a placer registered at run time is called without a context");
  const Request request = request_for(*call, asked);
  const Plan plan = run_callback([&] { return placer.place(call->problem, request); });
  berth::place::Evaluator evaluator(problem, asked);
  evaluator.consider(
      valid_inside(problem, plan, fmt::format("the plan of the method {}", placer.name)));
  evaluator.exhausted();  // sees whether a stop was asked for
  return evaluator.finish();
}

}  // namespace

void register_placer(const Placer& placer) {
  guarded(placer.name, [&] {
    if (!placer.place) {
      throw InputError(fmt::format("the placer {} has no function", quoted(placer.name)));
    }
    berth::place::register_placer(
        {.name = placer.name,
         .summary = placer.summary,
         .reference = "",
         .options = {},
         .place = [placer](const berth::Problem& problem, const berth::place::Request& asked,
                           const Options&) { return run(placer, problem, asked); },
         .searches = placer.searches});
  });
}

}  // namespace berth::v1
