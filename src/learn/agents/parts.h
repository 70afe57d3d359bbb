// What the agents' constructors share.
#pragma once

#include "base/options.h"
#include "learn/nets/sequence_placer.h"

namespace berth {

// All but `inputs` and `both_ways`, which are the agent's own.
SequenceSettings sequence_settings(const Options& settings);

}  // namespace berth
