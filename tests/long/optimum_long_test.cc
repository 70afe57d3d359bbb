// `auto` against every plan there is, on several hundred problems.
#include "place/auto_promises.h"

namespace berth {
namespace {

using place::fixtures::expect_optimum;
using place::fixtures::OptimumCounts;

TEST(AutoOptimumLong, OfPlacement) {
  OptimumCounts counts;
  for (std::uint64_t seed = 10'000; seed < 10'400; ++seed) {
    expect_optimum(seed, {.least_ops = 6, .most_ops = 10, .least_devices = 2, .most_devices = 3},
                   {}, counts);
  }
  EXPECT_EQ(counts.missed, 0);
  EXPECT_GT(counts.spread, 150);
  EXPECT_GT(counts.fit_nothing, 0);
}

TEST(AutoOptimumLong, OfPlacementAndOrder) {
  OptimumCounts counts;
  for (std::uint64_t seed = 20'000; seed < 20'400; ++seed) {
    expect_optimum(seed, {.least_ops = 4, .most_ops = 6, .least_devices = 2, .most_devices = 2},
                   {.schedule = true}, counts);
  }
  EXPECT_EQ(counts.missed, 0);
  EXPECT_GT(counts.spread, 100);
}

}  // namespace
}  // namespace berth
