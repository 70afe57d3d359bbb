// What agents share.
#pragma once

#include "base/options.h"
#include "learn/nets/sequence_placer.h"
#include "learn/policy.h"

namespace berth {

// All but `inputs` and `both_ways`, which are the agent's own.
SequenceSettings sequence_settings(const Options& settings);

// All units of a case as one sequence; items: [units, inputs].
SequenceInput whole_graph(const Case& of, const Tensor& items, bool full);

// A policy whose decisions are those of a sequence placer.
Drawn draw_sequence(SequencePlacer& placer, const SequenceInput& input, std::int64_t plans,
                    double noise, Random& random);
Scores score_sequence(SequencePlacer& placer, const SequenceInput& input,
                      const Decisions& decisions);
Decisions greedy_sequence(SequencePlacer& placer, const SequenceInput& input);

// The plan with every unit on its device of [units].
Plan plan_from(const Case& of, const Tensor& devices);

}  // namespace berth
