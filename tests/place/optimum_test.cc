// `auto` finds the true optimum of problems small enough to try every plan.
#include "place/auto_promises.h"

namespace berth::place {
namespace {

using fixtures::expect_optimum;
using fixtures::OptimumCounts;

TEST(AutoOptimum, OfPlacement) {
  OptimumCounts counts;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    expect_optimum(seed, {.least_ops = 4, .most_ops = 7, .least_devices = 2, .most_devices = 3}, {},
                   counts);
  }
  for (std::uint64_t seed = 60; seed < 64; ++seed) {
    expect_optimum(seed, {.least_ops = 10, .most_ops = 10, .least_devices = 3, .most_devices = 3},
                   {}, counts);
  }
  EXPECT_EQ(counts.missed, 0);
  EXPECT_GT(counts.spread, 15);
  EXPECT_GT(counts.fit_nothing, 0);
}

TEST(AutoOptimum, OfPlacementAndOrder) {
  OptimumCounts counts;
  for (std::uint64_t seed = 100; seed < 140; ++seed) {
    expect_optimum(seed, {.least_ops = 3, .most_ops = 5, .least_devices = 2, .most_devices = 2},
                   {.schedule = true}, counts);
  }
  for (std::uint64_t seed = 140; seed < 146; ++seed) {
    expect_optimum(seed, {.least_ops = 6, .most_ops = 6, .least_devices = 2, .most_devices = 2},
                   {.schedule = true}, counts);
  }
  EXPECT_EQ(counts.missed, 0);
  EXPECT_GT(counts.spread, 5);
}

}  // namespace
}  // namespace berth::place
