// The kinds of `berth bench`: published tables with ours beside, the search measured against its
// own past, policies on graphs they have not seen, and what learning is worth.
#pragma once

#include "cli/commands.h"

namespace berth::cli {

inline constexpr const char* kSearchBench = "search";
inline constexpr const char* kSearchBenchTitle =
    "auto at several budgets, and every placer, on fixed problems; compares runs";

inline constexpr const char* kGeneralizeBench = "generalize";
inline constexpr const char* kGeneralizeBenchTitle =
    "Policies on graphs they were not trained on: zero-shot, fine-tuned, from scratch";

inline constexpr const char* kLearnBench = "learn";
inline constexpr const char* kLearnBenchTitle =
    "What the learned methods and their parts are worth, beside controls";

int bench_published(Words words);
int bench_search(Words words);      // the words behind "search"
int bench_generalize(Words words);  // the words behind "generalize"
int bench_learn(Words words);       // the words behind "learn"

}  // namespace berth::cli
