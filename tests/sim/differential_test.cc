// The engines against the plain reference: whole timelines on thousands of random problems.
#include "support/differential.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(Differential, OneSlot) {
  Coverage coverage;
  for (std::uint64_t seed = 0; seed < 3000 && !testing::Test::HasFailure(); ++seed) {
    check_engines(seed, {.slots = false}, coverage);
  }
  EXPECT_GT(coverage.fused, 1000);
  EXPECT_GT(coverage.with_priorities, 1000);
  EXPECT_GT(coverage.infeasible, 1000);
  EXPECT_GT(coverage.aliases, 1000);
  EXPECT_GT(coverage.zero_length, 1000);
  EXPECT_GT(coverage.ties, 1000);
}

TEST(Differential, OneSlotWithoutAliases) {
  Coverage coverage;
  for (std::uint64_t seed = 10000; seed < 12000 && !testing::Test::HasFailure(); ++seed) {
    check_engines(seed, {.slots = false, .aliases = false}, coverage);
  }
}

TEST(Differential, SeveralSlots) {
  Coverage coverage;
  for (std::uint64_t seed = 20000; seed < 22000 && !testing::Test::HasFailure(); ++seed) {
    check_engines(seed, {.slots = true}, coverage);
  }
}

TEST(Differential, Larger) {
  Coverage coverage;
  for (std::uint64_t seed = 30000; seed < 30100 && !testing::Test::HasFailure(); ++seed) {
    check_engines(seed, {.max_ops = 150, .max_devices = 9, .colocation = true}, coverage);
  }
}

}  // namespace
}  // namespace berth
