#include "cli/bench_observer.h"

#include "cli/interrupt.h"
#include "cli/search.h"
#include "cli/train_answer.h"

namespace berth::cli {

BenchObserver::BenchObserver(const Console& console) : progress_(!console.quiet()) {
  Interrupt::install();
  observer_.stop = Interrupt::token();
  observer_.warn = [this, &console](const std::vector<std::string>& sentences) {
    if (!sentences.empty()) progress_.clear();
    console.warn_all(sentences);
  };
  observer_.searching = [this](const std::string& task, const place::SearchProgress& at) {
    progress_.update(progress_line(task, at));
  };
  observer_.training = [this](const std::string& method, const place::TrainingProgress& at) {
    progress_.update(training_line(method, at, "saves"));
  };
}

}  // namespace berth::cli
