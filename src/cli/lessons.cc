#include "cli/lessons.h"

#include "base/interrupt.h"
#include "base/progress.h"
#include "cli/train_answer.h"

namespace berth {

void Lessons::add(Setting loaded) {
  const Setting& setting = settings_.emplace_back(std::move(loaded));
  TrainingCase lesson{.problem = setting.problem.get(),
                      .model = setting.model->spec,
                      .cluster = setting.cluster_text};
  if (std::optional<Plan> expert = expert_plan(setting)) {
    lesson.expert = &experts_.emplace_back(std::move(*expert));
  }
  cases_.push_back(std::move(lesson));
}

Trained train_with_progress(TrainingRequest request, const Console& console) {
  Interrupt::install();
  const LearnModule& module = learn_module();
  Progress progress(!console.quiet());
  const std::string name = plain_name(request.method, 30);
  request.progress = [&](const TrainingProgress& at) {
    progress.update(training_line(name, at, "saves"));
  };
  return module.train(request);
}

}  // namespace berth
