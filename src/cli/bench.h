// The kinds of `berth bench`: published tables with ours beside, the search measured against its
// own past, and policies on graphs they have not seen.
#pragma once

#include "cli/commands.h"

namespace berth::cli {

inline constexpr const char* kSearchBench = "search";
inline constexpr const char* kSearchBenchTitle =
    "Every placer and auto by budget on pinned problems, beside an earlier run";

inline constexpr const char* kGeneralizeBench = "generalize";
inline constexpr const char* kGeneralizeBenchTitle =
    "Policies trained on some graphs, on others: zero-shot, fine-tuned and from scratch";

int bench_published(Words words);
int bench_search(Words words);      // the words behind "search"
int bench_generalize(Words words);  // the words behind "generalize"

}  // namespace berth::cli
