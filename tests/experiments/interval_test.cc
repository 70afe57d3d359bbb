#include "experiments/interval.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace berth::experiments {
namespace {

// Worked by hand: mean 3, deviation sqrt(2.5), t of 4 degrees of freedom 2.776.
TEST(Interval, OfFiveValues) {
  const Interval interval = interval_of(std::vector<double>{1, 2, 3, 4, 5});
  EXPECT_DOUBLE_EQ(interval.mean, 3);
  EXPECT_NEAR(interval.high - interval.mean, 2.776 * std::sqrt(2.5 / 5), 1e-12);
  EXPECT_NEAR(interval.low + interval.high, 6, 1e-12);
  EXPECT_TRUE(interval.above(1));
  EXPECT_FALSE(interval.above(1.1));
  EXPECT_TRUE(interval.below(5));
}

TEST(Interval, OfOneValueSaysNothing) {
  const Interval interval = interval_of(std::vector<double>{-7});
  EXPECT_EQ(interval.mean, -7);
  EXPECT_FALSE(interval.below(0));
  EXPECT_TRUE(std::isinf(interval.low));
  EXPECT_EQ(interval_of({}).count, 0u);
  EXPECT_FALSE(interval_of({}).below(1));
}

TEST(Interval, OfRatiosIsByTheirLogarithms) {
  const Interval interval = geometric_interval_of(std::vector<double>{0.5, 2, 0.5, 2});
  EXPECT_NEAR(interval.mean, 1, 1e-12);
  EXPECT_NEAR(interval.low * interval.high, 1, 1e-12);
  EXPECT_EQ(format_change(geometric_interval_of(std::vector<double>{0.9, 0.9})),
            "-10.0% [-10.0, -10.0]");
  EXPECT_EQ(format_change(geometric_interval_of(std::vector<double>{1.25})), "+25.0%");
  EXPECT_EQ(format_change({}), "-");
}

}  // namespace
}  // namespace berth::experiments
