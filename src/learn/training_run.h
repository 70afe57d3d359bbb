// A trainer run to the end of its budget: progress, curve and checkpoints.
//
// A checkpoint is the policy file, written completely or not at all. The time between two is at
// least 0.2 seconds and 20 times what the last one took, so they cost 5% at most. A run that is
// killed continues from the last checkpoint. Since all that a trainer does follows from its state,
// it ends with the same bits as one that was never stopped, if the budget is in evaluations.
#pragma once

#include <functional>
#include <string>

#include "learn/curve.h"
#include "learn/trainer.h"

namespace berth::learn {

struct RunOutputs {
  std::string policy_path;  // empty: no checkpoints
  std::string curve_path;   // empty: no curve
  bool resume = false;
  bool slim = false;  // at the end keep what places and leave out what only resuming needs
  std::function<void(const place::TrainingProgress&)> progress = {};
};

// Trains until the budget is spent, saves, and simulates the greedy plans. Returns a sentence for
// the user when the curve could not be written to its end, else nothing.
std::string run_training(Trainer& trainer, const RunOutputs& outputs);

}  // namespace berth::learn
