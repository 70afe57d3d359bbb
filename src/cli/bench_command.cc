// berth bench: which of the benchmarks it is.
#include "cli/bench.h"

namespace berth::cli {

int bench_command(Words words) {
  if (!words.empty() && words.front() == kSearchBench) return bench_search(words.subspan(1));
  if (!words.empty() && words.front() == kGeneralizeBench) {
    return bench_generalize(words.subspan(1));
  }
  return bench_published(words);
}

}  // namespace berth::cli
