// The step as data for the page's script, which draws what is visible at the current zoom: every
// op, every transfer and everything that was held in memory, with what each op waited for.
//
// Times are whole ticks, a power of ten of a second such that the step has at most four billion of
// them. Columns are packed (packed_numbers.h) and names share common prefixes, so an op takes about
// 50 bytes and a transfer 40, both with the memory they take: a step of 100,000 ops is a page of
// seven to thirteen megabytes.
#pragma once

#include <string>

#include "report/analysis.h"

namespace berth::report {

// JSON that is safe inside a <script> element.
std::string html_data(const Analysis& analysis);

}  // namespace berth::report
