// Jobs on one machine, each with a time before which it cannot start and a time that passes after
// its end until everything is done. The least possible time until then, with preemption, is that of
// Jackson's schedule: always run, of the jobs that can, the one with the longest time after
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
