#include "place/list/idle_gaps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace berth::place {
namespace {

TEST(IdleGaps, FindTheFirstGapThatIsLongEnough) {
  IdleGaps gaps;
  EXPECT_EQ(gaps.earliest(0, 5), 0);
  gaps.take(0, 2);
  gaps.take(3, 6);
  gaps.take(10, 11);
  EXPECT_EQ(gaps.earliest(0, 1), 2);
  EXPECT_EQ(gaps.earliest(0, 2), 6);
  EXPECT_EQ(gaps.earliest(7, 3), 7);
  EXPECT_EQ(gaps.earliest(8, 3), 11);
  EXPECT_EQ(gaps.earliest(4, 0), 4);
  gaps.take(6, 10);
  EXPECT_EQ(gaps.earliest(2.5, 1), 11);
  EXPECT_EQ(gaps.earliest(2.5, 0.5), 2.5);
}

double earliest_by_search(std::vector<std::pair<double, double>> busy, double ready,
                          double length) {
  std::sort(busy.begin(), busy.end());
  double start = ready;
  for (const auto& [begin, end] : busy) {
    if (end <= start) continue;
    if (begin - start >= length) break;
    start = end;
  }
  return start;
}

TEST(IdleGaps, AgreeWithSearchingAllOfThem) {
  Random random(7);
  for (int round = 0; round < 20; ++round) {
    IdleGaps gaps;
    std::vector<std::pair<double, double>> busy;
    for (int step = 0; step < 300; ++step) {
      // Small integers, so that gaps are filled to the last bit now and then.
      const auto ready = static_cast<double>(random.between(0, 500));
      const auto length = static_cast<double>(random.between(1, 6));
      const double start = gaps.earliest(ready, length);
      ASSERT_EQ(start, earliest_by_search(busy, ready, length));
      gaps.take(start, start + length);
      busy.emplace_back(start, start + length);
    }
  }
}

}  // namespace
}  // namespace berth::place
