// The upward rank of an op: how long the rest of the step takes from its start, along the longest
// path from it.
//
//   rank(i) = w(i) + max over readers j of (c(i, j) + rank(j))
//
// w(i) is the op's cost averaged over its allowed devices. c(i, j) is the time to send the tensor
// averaged over all routes: mean latency + bytes x mean of 1 / bandwidth; 0 within a colocation
// group and for order-only dependencies.
//
// With a host CPU fifty times slower than its GPUs, the average makes ops look longer than they
// will be. A harmonic mean made no measurable difference.
//
// Ranks never increase along an edge, so ops by falling rank, ties by topological position, are in
// topological order. O(ops x devices + edges).
#pragma once

#include <vector>

#include "base/random.h"
#include "cost/problem.h"

namespace berth::place {

struct UpwardRanks {
  std::vector<double> seconds;  // by op
  std::vector<OpId> order;      // falling rank
};

UpwardRanks upward_ranks(const Problem& problem);

// The ranks, each changed at random by at most `part` of itself: another order of similar quality.
// A rank that would fall below that of a successor is raised to it, so the order stays topological.
// O(ops log ops + edges).
UpwardRanks jittered(const Problem& problem, const UpwardRanks& ranks, double part, Random& random);

// The averages on their own.
double mean_seconds(const Problem& problem, OpId op);
struct MeanRoute {
  double latency_seconds = 0;
  double seconds_per_byte = 0;
  double transfer_seconds(std::int64_t bytes) const {
    return latency_seconds + static_cast<double>(bytes) * seconds_per_byte;
  }
};
// Over all ordered pairs of devices with a route, of a large cluster over those of a sample
// (device_sample.h); zero when there is none.
MeanRoute mean_route(const Problem& problem);

}  // namespace berth::place
