// What is wrong or wasteful in a plan, whoever made it. Errors make it invalid; warnings are facts
// that cost time or memory for certain; advice is worth a try.
//
// The one check that takes time is the scan of single moves: groups of ops, those on the critical
// path and beside transfers first, are tried on every other device they may use, each by a full
// simulation, until a budget is spent. It finds no improvement that needs two moves at once.
#pragma once

#include <string>
#include <vector>

#include "report/analysis.h"

namespace berth {

struct LintFindings {
  std::vector<std::string> errors;
  std::vector<std::string> warnings;
  std::vector<std::string> advice;
};

struct LintOptions {
  double scan_seconds = 2;
  std::size_t most_moves = 3;  // to report
};

// For a plan that is valid; `references` are plans that need no search, to hold it to.
LintFindings lint_plan(const Analysis& analysis, const std::vector<Reference>& references,
                       const LintOptions& options = {});

// Single moves that make the plan better, best first, as sentences.
std::vector<std::string> improving_moves(const Analysis& analysis, const LintOptions& options);

}  // namespace berth
