// Runs the experiment of generalization.h: trains a policy per method on the line-up, then places
// every unseen problem with it, with it after fine-tuning, and by the method trained from scratch.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/budget.h"
#include "experiments/generalization.h"
#include "experiments/observer.h"

namespace berth::experiments {

struct GeneralizationOptions {
  std::vector<std::string> methods;  // learned ones, canonical
  std::vector<std::string> models;   // to train on, ranges expanded
  std::string cluster;               // to train on
  std::vector<HeldOut> problems;     // that the policies have not seen
  Budget train, tune, scratch;       // in evaluations
  std::uint64_t seed = 0;
  bool for_tuning = false;
  std::string policies;  // folder to keep the policies in; empty: they are not kept
};

// When the observer asks to stop, the problem that is under way is left out, since a part of its
// figures would mislead, and the run is marked as interrupted. Throws InputError, also when a kept
// policy is of another training.
GeneralizationRun run_generalization(const GeneralizationOptions& options,
                                     const Observer& observer);

}  // namespace berth::experiments
