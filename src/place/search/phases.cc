#include "place/search/phases.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "base/error.h"

namespace berth::place {

std::optional<double> PhaseReport::gain() const {
  if (!std::isfinite(step_seconds_before) || !std::isfinite(step_seconds)) return std::nullopt;
  if (step_seconds_before <= 0) return 0.0;
  return 1 - step_seconds / step_seconds_before;
}

std::vector<std::string> parse_phases(std::string_view text,
                                      std::span<const std::string_view> known) {
  std::vector<std::string> names;
  if (text == kNoPhase) return names;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('+', begin), text.size());
    const std::string_view name = text.substr(begin, end - begin);
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      throw InputError(
          fmt::format("skip names a phase {}, and the phases are {}; join several by +",
                      quoted(name), fmt::join(known, ", ")),
          {.code = ErrorCode::bad_option, .subject = "skip"});
    }
    names.emplace_back(name);
    begin = end + 1;
  }
  return names;
}

bool PhaseRunner::skips(std::string_view name) const {
  return std::find(skipped_.begin(), skipped_.end(), name) != skipped_.end();
}

double PhaseRunner::best_seconds() const {
  const bool fits = evaluator_.has_best() && evaluator_.best_outcome().routable &&
                    evaluator_.best_outcome().feasible;
  return fits ? evaluator_.best_outcome().step_seconds : std::numeric_limits<double>::infinity();
}

void PhaseRunner::run(std::string_view name, double share,
                      const std::function<void(double)>& work) {
  if (skips(name) || evaluator_.exhausted()) return;
  PhaseReport report{.name = std::string(name),
                     // The count at the end is added below, which leaves the difference.
                     .evaluations = -evaluator_.evaluations(),
                     .step_seconds_before = best_seconds()};
  const bool had_best = evaluator_.has_best();
  const Outcome before = had_best ? evaluator_.best_outcome() : Outcome();
  const auto begin = std::chrono::steady_clock::now();
  work(share);
  // The same plan was verified after an earlier phase.
  if (evaluator_.has_best() && (!had_best || better(evaluator_.best_outcome(), before))) {
    evaluator_.verify_best();
  }
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  report.evaluations += evaluator_.evaluations();
  report.step_seconds = best_seconds();
  reports_.push_back(std::move(report));
}

}  // namespace berth::place
