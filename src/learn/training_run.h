// A trainer run to the end of its budget: progress, curve and checkpoints.
//
// A checkpoint is the policy file written whole or not at all. Between two lies at least a
// fifth of a second and twenty times what the last took, so that they cost a twentieth at most. A
// run that is killed goes on from the last, and since everything a trainer does follows from its
// state, it ends with the same bits as one that was never stopped (with a budget in evaluations).
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

// Trains until the budget is spent, prices the greedy plans and saves. Returns a sentence worth
// telling (the curve could not be written to its end), or nothing.
std::string run_training(Trainer& trainer, const RunOutputs& outputs);

}  // namespace berth::learn
