// The phases of a search: each has a name, a share of the budget and a function that makes plans.
//
// The runner leaves out what the user skips and what comes after the budget is spent, measures the
// rest, and checks the best plan after each: it must be valid, and one more simulation must give
// the outcome that was reported for it. A phase may take plans from other threads, other placers
// or other simulators, and a mistake there would otherwise reach the user as a step time that no
// machine can keep. The check costs one simulation per phase that found a better plan.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "place/evaluator.h"

namespace berth::place {

inline constexpr const char* kNoPhase = "none";  // of the option `skip`

// The names in "portfolio+annealing", or none for kNoPhase. Throws InputError with the valid names
// for one that is not among `known`.
std::vector<std::string> parse_phases(std::string_view text,
                                      std::span<const std::string_view> known);

class PhaseRunner {
 public:
  PhaseRunner(Evaluator& evaluator, std::vector<std::string> skipped)
      : evaluator_(evaluator), skipped_(std::move(skipped)) {}

  bool skips(std::string_view name) const;
  // Calls `work` with the share, unless the phase is skipped or the budget is spent.
  void run(std::string_view name, double share, const std::function<void(double)>& work);

  std::vector<PhaseReport> take_reports() { return std::move(reports_); }

 private:
  double best_seconds() const;  // infinite where no plan that fits is known

  Evaluator& evaluator_;
  std::vector<std::string> skipped_;
  std::vector<PhaseReport> reports_;
};

}  // namespace berth::place
