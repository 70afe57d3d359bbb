// Cuts a sequence of layers into segments, one per device.
//
// The input is the work of every layer by device kind, its bytes, and what crosses the boundary
// between any two neighbours in either direction. A kind is a set of devices with equal costs and
// limits. The dynamic program runs over (devices used of each kind, kind of the last segment,
// position) and so finds the best cuts and the best order of kinds together:
//
//   value(used + k, k, i) = best over j < i and last kind e of
//       value(used, e, j)  (+)  (work of j .. i on k + crossing of j from e to k)
//
// where (+) is a sum (latency: nothing overlaps) or a maximum (bottleneck: everything does). Real
// steps are in between, so placers try both, and every number of segments.
//
// Simplifications. A tensor that skips a whole segment is charged at both of that segment's
// boundaries although it is sent once. Routes between kinds are averages. At most 512 boundaries
// are candidates: with more layers, the sequence is divided into 512 stretches of about equal work,
// and of each the boundary with the fewest bytes across is kept. The memory of a segment is what
// its layers hold at the peak of the graph (layer_profile.h) plus the largest need of one op. For
// the maximum, only the best last kind per position is kept, which is not always optimal.
//
// O(states x kinds^2 x candidates^2), where states is the product of (devices + 1) over the kinds.
// Candidates are reduced further, down to eight, where that would exceed the steps allowed. Where
// there are so many kinds that even this is too much, or more than about 8000 states, kinds that
// are most similar in speed are merged.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cost/problem.h"
#include "place/sequence/layers.h"

namespace berth::place {

// `memory` minimises the fullest device, even if that exceeds its limit: for when the other two
// find nothing.
enum class SegmentObjective : std::uint8_t { latency, bottleneck, memory };

// About a second.
inline constexpr double kMostSegmentSteps = 3e8;

// The device of every layer.
using LayerDevices = std::vector<DeviceId>;

// For the bottleneck the best plan of every number of segments from 1 up, as far as there are any
// within the limits; for latency and memory the best of all numbers.
std::vector<LayerDevices> plan_segments(const Problem& problem, const Layers& layers,
                                        SegmentObjective objective,
                                        std::span<const std::int64_t> limits,
                                        double most_steps = kMostSegmentSteps);

}  // namespace berth::place
