#include "cli/training_set.h"

#include "base/progress.h"
#include "cli/interrupt.h"
#include "cli/train_answer.h"

namespace berth::cli {

void TrainingSet::add(Setting loaded) {
  const Setting& setting = settings_.emplace_back(std::move(loaded));
  place::TrainingCase lesson{.problem = setting.problem.get(),
                             .model = setting.model->spec,
                             .cluster = setting.cluster_text};
  if (std::optional<Plan> expert = expert_plan(setting)) {
    lesson.expert = &experts_.emplace_back(std::move(*expert));
  }
  cases_.push_back(std::move(lesson));
}

place::Trained train_with_progress(place::TrainingRequest request, const Console& console) {
  Interrupt::install();
  const place::LearnModule& module = place::learn_module();
  Progress progress(!console.quiet());
  const std::string name = report::plain_name(request.method, 30);
  request.stop = Interrupt::token();
  request.progress = [&](const place::TrainingProgress& at) {
    progress.update(training_line(name, at, "saves"));
  };
  return module.train(request);
}

}  // namespace berth::cli
