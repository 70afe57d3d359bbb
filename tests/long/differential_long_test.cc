// The engines against the plain reference on a hundred thousand problems, on seeds of their own.
#include <gtest/gtest.h>

#include "support/differential.h"

namespace berth {
namespace {

TEST(DifferentialLong, OneSlot) {
  Coverage coverage;
  for (std::uint64_t seed = 1'000'000; seed < 1'060'000 && !HasFailure(); ++seed) {
    check_engines(seed, {.slots = false}, coverage);
  }
}

TEST(DifferentialLong, SeveralSlots) {
  Coverage coverage;
  for (std::uint64_t seed = 2'000'000; seed < 2'040'000 && !HasFailure(); ++seed) {
    check_engines(seed, {.slots = true}, coverage);
  }
}

TEST(DifferentialLong, Large) {
  Coverage coverage;
  for (std::uint64_t seed = 3'000'000; seed < 3'000'400 && !HasFailure(); ++seed) {
    check_engines(seed, {.max_ops = 400, .max_devices = 12}, coverage);
  }
}

}  // namespace
}  // namespace berth
