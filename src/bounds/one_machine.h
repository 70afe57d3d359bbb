// Jobs on one machine. A job cannot start before its head, and its tail passes after its end until
// everything is done. With preemption, the least possible time until everything is done is that of
// Jackson's schedule: of the jobs that have arrived, always run the one with the longest tail
// (Jackson 1955, Carlier 1982). It equals the max over sets of jobs of least head + work + least
// tail. A device with one slot, a channel, and the whole cluster with its work priced are all such
// machines.
#pragma once

#include <vector>

namespace berth::bounds {

struct Job {
  double head = 0;
  double work = 0;
  double tail = 0;
};

// Sorts the jobs by head. Infinite heads or tails give infinity. `open` is scratch memory.
// O(n log n).
double jackson_seconds(std::vector<Job>& jobs, std::vector<Job>& open);
double jackson_seconds(std::vector<Job>& jobs);

}  // namespace berth::bounds
