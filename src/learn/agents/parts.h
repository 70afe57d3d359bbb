// Code that several agents share.
#pragma once

#include <algorithm>

#include "base/options.h"
#include "learn/case.h"
#include "learn/nets/device_scorer.h"
#include "learn/nets/sequence_placer.h"

namespace berth::learn {

// The settings of a sequence placer, without `inputs` and `both_ways`, which each agent sets
// itself.
SequenceSettings parse_sequence(const Options& options);

// Writes a unit's pair features after the ledger's numbers of each device, in rows of
// DeviceScorer::kInputs. Values are as in the tensor Case::pairs, shares in units of the mean unit.
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
