// What is wrong or wasteful in a plan, whoever made it. Errors make it invalid. Warnings are facts
// that certainly cost time or memory. Advice has been simulated and says what it gains; a gain of
// less than 1% is not reported.
//
// Two checks have a time limit. First, blocks of ops (place/search/families.h) and branches are
// tried on devices that are mostly idle. Then groups of ops, first those on the critical path and
// next to transfers, are tried alone on every other device they may use. An improvement that needs
// several moves together, none of which helps alone, is not found.
#pragma once

#include <string>
#include <vector>

#include "base/stop.h"
#include "report/analysis.h"

namespace berth::report {

struct LintFindings {
  std::vector<std::string> errors;
  std::vector<std::string> warnings;
  std::vector<std::string> advice;
};

inline constexpr double kSmallestGain = 0.01;  // of the step, for advice to be given

struct LintOptions {
  double scan_seconds = 2;     // for the two checks together
  std::size_t most_moves = 3;  // to report
  StopToken stop = {};         // ends the two checks as if their time were spent
  // What users of the caller type to have priorities decided; may be empty.
  std::string order_command = {};
};

// For a valid plan; `references` are plans that need no search, to compare it with.
LintFindings lint_plan(const Analysis& analysis, const std::vector<Reference>& references,
                       const LintOptions& options = {});

// Work that a mostly idle device could take over, if that helps: at most one sentence.
std::vector<std::string> work_for_idle_devices(const Analysis& analysis,
                                               const LintOptions& options);

// Single moves that make the plan better, best first, as sentences.
std::vector<std::string> improving_moves(const Analysis& analysis, const LintOptions& options);

}  // namespace berth::report
