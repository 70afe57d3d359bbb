// What agents share.
#pragma once

#include <algorithm>

#include "base/options.h"
#include "learn/case.h"
#include "learn/nets/device_scorer.h"
#include "learn/nets/sequence_placer.h"

namespace berth::learn {

// All but `inputs` and `both_ways`, which are the agent's own.
SequenceSettings parse_sequence(const Options& options);

// A unit's pair features behind the ledger's numbers of each device, rows being of
// DeviceScorer::kInputs; as the tensor `pairs` has them, shares in mean units.
template <class Real>
void copy_pairs(const Case& of, std::size_t unit, Real* numbers) {
  const std::size_t devices = of.features.device_count;
  const float* pair = of.features.pairs.data() + unit * devices * Features::kPairs;
  for (std::size_t device = 0; device < devices; ++device, pair += Features::kPairs) {
    Real* const to = numbers + device * DeviceScorer::kInputs + Ledger::kNumbers;
    std::copy_n(pair, Features::kPairs, to);
    to[Case::kSharePair] *= static_cast<Real>(of.features.units);
  }
}

// The plan with every unit on its device of [units].
Plan plan_from(const Case& of, const Tensor& devices);

}  // namespace berth::learn
