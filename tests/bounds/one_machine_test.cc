// Jackson's schedule against its meaning: the max over sets of jobs of least head + work + least
// tail.
#include "bounds/one_machine.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"

namespace berth::bounds {
namespace {

double by_sets(const std::vector<Job>& jobs) {
  double longest = 0;
  for (std::size_t set = 1; set < (std::size_t{1} << jobs.size()); ++set) {
    Job all{1e9, 0, 1e9};
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      if ((set >> i & 1) == 0) continue;
      all.head = std::min(all.head, jobs[i].head);
      all.work += jobs[i].work;
      all.tail = std::min(all.tail, jobs[i].tail);
    }
    longest = std::max(longest, all.head + all.work + all.tail);
  }
  return longest;
}

TEST(OneMachine, EqualsTheWorstSetOfJobs) {
  Random random(1);
  for (int round = 0; round < 500; ++round) {
    std::vector<Job> jobs(random.below(7));
    for (Job& job : jobs) {
      job = {static_cast<double>(random.below(10)), static_cast<double>(random.below(5)),
             static_cast<double>(random.below(10))};
    }
    const double expected = by_sets(jobs);
    EXPECT_EQ(jackson_seconds(jobs), expected);
  }
}

}  // namespace
}  // namespace berth::bounds
