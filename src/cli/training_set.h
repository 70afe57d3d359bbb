// What a policy is trained on: models on clusters, loaded, with the experts' plans.
#pragma once

#include <deque>
#include <vector>

#include "cli/setting.h"
#include "place/learned/module.h"

namespace berth::cli {

// Holds what its cases point to.
class TrainingSet {
 public:
  void add(Setting loaded);
  const std::vector<place::TrainingCase>& cases() const { return cases_; }

 private:
  std::deque<Setting> settings_;
  std::deque<Plan> experts_;
  std::vector<place::TrainingCase> cases_;
};

// Runs the training with progress on a terminal; Ctrl-C saves and ends it.
place::Trained train_with_progress(place::TrainingRequest request, const Console& console);

}  // namespace berth::cli
