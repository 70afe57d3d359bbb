// How a caller watches an experiment and ends it early. Experiments themselves print nothing and
// know of no terminal.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/stop.h"
#include "place/placer.h"

namespace berth::experiments {

// Functions may be empty. They are called on the thread that runs the experiment.
struct Observer {
  // Warnings of a model or a cluster that was loaded.
  std::function<void(const std::vector<std::string>& sentences)> warn = {};
  // `task` is for people: "[2/12] zoo:gnmt on 4xP100  auto".
  std::function<void(const std::string& task, const place::SearchProgress& at)> searching = {};
  std::function<void(const std::string& method, const place::TrainingProgress& at)> training = {};
  // The experiment ends with what is complete.
  StopToken stop = {};
};

}  // namespace berth::experiments
