// Experiments on the command line: progress on a terminal, warnings on stderr, and Ctrl-C, which
// ends an experiment with what is complete.
#pragma once

#include "base/progress.h"
#include "cli/console.h"
#include "experiments/observer.h"

namespace berth::cli {

class BenchObserver {
 public:
  // From here on Ctrl-C is a request to stop.
  explicit BenchObserver(const Console& console);
  BenchObserver(const BenchObserver&) = delete;
  BenchObserver& operator=(const BenchObserver&) = delete;

  const experiments::Observer& observer() const { return observer_; }
  // Erases the progress line before the answer is printed.
  void finish() { progress_.clear(); }

 private:
  Progress progress_;
  experiments::Observer observer_;
};

}  // namespace berth::cli
