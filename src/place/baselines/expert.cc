#include "place/baselines/expert.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/quantity.h"
#include "place/evaluator.h"

namespace berth::place {
namespace {

std::string remark_on_expert(const Outcome& outcome) {
  if (outcome.feasible) return "";
  return fmt::format("the expert's plan does not fit: {} over", format_bytes(outcome.over_bytes));
}

Placed does_not_apply(std::string reason) {
  Placed placed;
  placed.not_applicable = std::move(reason);
  return placed;
}

Placed place_as_expert(const Problem& problem, const Request& request, const Options&) {
  if (request.expert == nullptr) {
    return does_not_apply(
        fmt::format("{} has no expert plan for cluster {}; use balanced_layers, contiguous or etf "
                    "instead, or a workload with one (`berth zoo NAME` says so)",
                    quoted(problem.graph().name()), quoted(problem.cluster().name())));
  }
  const std::vector<std::string> broken = violations(problem, *request.expert, 1);
  if (!broken.empty()) {
    return does_not_apply(fmt::format("the expert's plan: {}", broken.front()));
  }
  Evaluator evaluator(problem, request);
  const std::string remark = remark_on_expert(evaluator.consider(*request.expert));
  return evaluator.finish(remark);
}

}  // namespace

Placer expert_placer() {
  return {.name = "expert",
          .summary = "the human expert's plan of the workload, where it has one",
          .reference = "",
          .options = {},
          .place = place_as_expert};
}

}  // namespace berth::place
