#include "place/list/ready_queue.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"

namespace berth::place {
namespace {

double effective_start(const ReadyQueue::Entry& entry, double device_free,
                       std::span<const double> channel_free) {
  double start = std::max(entry.data_seconds, device_free);
  if (entry.entrance != ReadyQueue::kNoEntrance) {
    start = std::max(start, channel_free[entry.entrance] + entry.travel_seconds);
  }
  return start + entry.penalty_seconds;
}

TEST(ReadyQueue, TakesTheFirstByStartThenByOrder) {
  ReadyQueue queue;
  queue.push({.data_seconds = 5, .order = 0});
  queue.push({.data_seconds = 2, .order = 2});
  queue.push({.data_seconds = 1, .order = 1});
  const std::vector<double> no_channels;
  EXPECT_EQ(queue.top(0, no_channels).order, 1u);
  // Once the device is busy until 3 both could start then.
  EXPECT_EQ(queue.top(3, no_channels).order, 1u);
  queue.pop();
  EXPECT_EQ(queue.top(3, no_channels).order, 2u);
  EXPECT_EQ(queue.top(3, no_channels).effective_seconds, 3);
  queue.pop();
  EXPECT_EQ(queue.top(3, no_channels).effective_seconds, 5);
  queue.pop();
  EXPECT_TRUE(queue.empty());
}

TEST(ReadyQueue, PenaltyCountsAgainstTheSlowDevice) {
  ReadyQueue queue;
  queue.push({.data_seconds = 0, .penalty_seconds = 10, .order = 0});
  queue.push({.data_seconds = 4, .penalty_seconds = 0, .order = 1});
  const std::vector<double> no_channels;
  EXPECT_EQ(queue.top(0, no_channels).order, 1u);
  EXPECT_EQ(queue.top(8, no_channels).order, 1u);
}

// Against looking at every entry, as free times grow.
TEST(ReadyQueue, FindsTheLeastStart) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    ReadyQueue queue;
    std::vector<ReadyQueue::Entry> entries;
    double device_free = 0;
    std::vector<double> channel_free(3, 0);
    std::uint32_t order = 0;
    for (int step = 0; step < 200; ++step) {
      for (std::uint64_t more = random.below(4); more > 0; --more) {
        ReadyQueue::Entry entry{.data_seconds = device_free + random.uniform(), .order = order++};
        if (random.chance(0.5)) {
          entry.entrance = static_cast<std::uint32_t>(random.below(3));
          entry.travel_seconds = random.uniform();
        }
        entries.push_back(entry);
        queue.push(entry);
      }
      ASSERT_EQ(queue.empty(), entries.empty());
      if (entries.empty()) continue;
      double least = effective_start(entries.front(), device_free, channel_free);
      for (const auto& entry : entries) {
        least = std::min(least, effective_start(entry, device_free, channel_free));
      }
      const auto top = queue.top(device_free, channel_free);
      EXPECT_DOUBLE_EQ(top.effective_seconds, least);
      queue.pop();
      std::erase_if(entries, [&](const auto& entry) { return entry.order == top.order; });
      device_free += random.uniform() * 0.5;
      double& channel = channel_free[random.below(3)];
      channel = std::max(channel, device_free + random.uniform());
    }
  }
}

}  // namespace
}  // namespace berth::place
