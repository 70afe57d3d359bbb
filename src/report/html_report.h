// One page about a plan, in one file that needs nothing else: the verdict, methods side by side
// where there are several, what every device and link did when, memory over time, the critical path
// and what is alive at the peaks. It opens by double click, prints, and follows the reader's light
// or dark setting; a small script adds zooming and hints, and nothing is lost without it.
//
// Ops too narrow to see are drawn merged, with a limit on the number of shapes, so the page stays
// below two megabytes however large the graph is.
#pragma once

#include <span>
#include <string>

#include "report/analysis.h"
#include "report/comparison.h"

namespace berth {

struct HtmlInput {
  Heading heading;
  const Analysis& analysis;
  std::span<const Reference> references = {};
  std::span<const ComparisonRow> rows = {};
};

std::string html_report(const HtmlInput& input);

}  // namespace berth
