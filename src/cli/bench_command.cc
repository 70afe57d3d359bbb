// berth bench: which of the benchmarks it is.
#include "cli/bench.h"

namespace berth::cli {

int bench_command(Words words) {
  if (words.empty()) return bench_published(words);
  if (words.front() == kSearchBench) return bench_search(words.subspan(1));
  if (words.front() == kGeneralizeBench) return bench_generalize(words.subspan(1));
  if (words.front() == kLearnBench) return bench_learn(words.subspan(1));
  return bench_published(words);
}

}  // namespace berth::cli
