// What is wrong or wasteful in a plan, whoever made it. Errors make it invalid; warnings are facts
// that cost time or memory for certain; advice has been tried by the simulator and says what it
// brings. What brings less than 1% is not worth a reader's time.
//
// Two checks take time, and end when theirs is spent. Blocks of ops (place/search/families.h) and
// branches are tried on devices that have little to do. Then groups of ops, those on the
// critical path and beside transfers first, are tried alone on every other device they may use. An
// improvement that needs several moves at once, each of no use alone, is not found.
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
};

// For a plan that is valid; `references` are plans that need no search, to hold it to.
LintFindings lint_plan(const Analysis& analysis, const std::vector<Reference>& references,
                       const LintOptions& options = {});

// What a device with little to do could take over, if that helps: at most one sentence.
std::vector<std::string> work_for_idle_devices(const Analysis& analysis,
                                               const LintOptions& options);

// Single moves that make the plan better, best first, as sentences.
std::vector<std::string> improving_moves(const Analysis& analysis, const LintOptions& options);

}  // namespace berth::report
