// One page about a plan, in one file that needs nothing else: the verdict, methods side by side
// where there are several, what every device and link did when, memory over time, the critical path
// and what is alive at the peaks. It opens by double click, prints, and follows the reader's light
// or dark setting. A script draws the charts over time from data that has every op (html_data.h),
// at the zoom in view, finds ops, says what each waited for and sorts tables; without it the
// verdict and the tables are still there.
#pragma once

#include <span>
#include <string>

#include "report/analysis.h"
#include "report/comparison.h"
#include "report/html/html_origin.h"

namespace berth::report {

struct HtmlInput {
  Heading heading;
  const Analysis& analysis;
  std::span<const Reference> references = {};
  std::span<const ComparisonRow> rows = {};
  Origin origin = {};
};

std::string html_report(const HtmlInput& input);

}  // namespace berth::report
