// The training part of the generalization experiment: policies that are not there yet are trained,
// those that were cut short are trained on, and those that are complete are used as they are.
#pragma once

#include <vector>

#include "experiments/generalization_run.h"
#include "experiments/policy_folder.h"

namespace berth::experiments {

// Seconds of training by method, up to the one that was under way when the observer asked to stop.
// Throws InputError when a policy in the folder is of another training.
std::vector<double> train_policies(const GeneralizationOptions& options, const PolicyFolder& folder,
                                   const Observer& observer);

}  // namespace berth::experiments
