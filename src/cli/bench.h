// The two kinds of `berth bench`: published tables with ours beside, and the search measured
// against its own past.
#pragma once

#include "cli/commands.h"

namespace berth {

inline constexpr const char* kSearchBench = "search";
inline constexpr const char* kSearchBenchTitle =
    "Every placer and auto by budget on pinned problems, beside an earlier run";

int bench_published(Words words);
int bench_search(Words words);  // the words behind "search"

}  // namespace berth
