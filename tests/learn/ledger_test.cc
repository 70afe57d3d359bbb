#include "learn/ledger.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.h"
#include "graph/graph_builder.h"
#include "support/small_problem.h"

namespace berth::learn {
namespace {

// Three items on two devices; items 1 and 2 feed each other, as colocation may have it.
Features hand_features() {
  Features features;
  features.units = 3;
  features.device_count = 2;
  features.seconds = {1, 2, 3, 3, 2, 4};
  features.allowed = {1, 1, 1, 1, 1, 1};
  features.bytes = {10, 20, 30};
  features.usable_bytes = {100, 20};
  features.byte_seconds = {0, 0.5, 0.25, 0};
  features.total_seconds = 6;
  return features;
}

std::vector<TensorGroup> hand_tensor_groups() {
  return {{0, {1}, 8}, {0, {2}, 4}, {1, {2}, 12}, {2, {1}, 4}};
}

using Table = std::vector<std::vector<double>>;  // devices x Ledger::kNumbers

Table read(const Ledger& ledger, std::size_t devices) {
  std::vector<double> flat(devices * Ledger::kNumbers);
  ledger.read(flat.data(), Ledger::kNumbers);
  Table table;
  for (std::size_t device = 0; device < devices; ++device) {
    const auto begin = flat.begin() + static_cast<std::ptrdiff_t>(device * Ledger::kNumbers);
    table.emplace_back(begin, begin + Ledger::kNumbers);
  }
  return table;
}

void expect_table(const Table& found, const Table& right) {
  ASSERT_EQ(found.size(), right.size());
  for (std::size_t device = 0; device < right.size(); ++device) {
    for (std::size_t i = 0; i < Ledger::kNumbers; ++i) {
      EXPECT_NEAR(found[device][i], right[device][i], 1e-12) << "device " << device << " " << i;
    }
  }
}

TEST(Ledger, ReadsWhatAHandReckons) {
  const Features features = hand_features();
  const LedgerItems items = ledger_items(features, hand_tensor_groups());
  // An even share of the work is 3 s, the mean item 2 s.
  Ledger ledger(items);
  expect_table(read(ledger, 2),
               {{0, 0, 0, 0, 0.1, 0, 0, 0}, {0, 0, 0, 0, 0.5, std::log(1.5), 0, 0}});
  ledger.place(1);  // 2 s, 10 bytes
  // 8 bytes come from device 1: to device 0 they take 2 s. Item 1 ends at 7 s or at 5 s.
  expect_table(read(ledger, 2), {{0, std::log(2), 0, -1 / 3.0, 0.2, std::log(2), std::log(3), 0},
                                 {1, 0, 2 / 3.0, 1 / 3.0, 1.5, 0, 0, 1}});
  ledger.place(0);  // 3 s, 20 bytes; until 7 s
  // 16 bytes are with device 0 and 4 with device 1: 1 s to bring these to 0; of the others 12 bytes
  // take 6 s to bring to 1 and what item 2 makes of them takes 1 s to bring back. What
  // item 2 reads is on device 0 at 7 s and on device 1, which has been free since 2 s, at 13 s.
  expect_table(read(ledger, 2),
               {{0.8, std::log(1.5), 1, 1 / 6.0, 0.5, 0, 0, 1},
                {0.2, std::log(4.5), 2 / 3.0, -1 / 6.0, 2, std::log(5), std::log(6.5), 0}});
  expect_table(read(ledger, 2), read(ledger, 2));
}

TEST(Ledger, TakesAnItemFromWhereItIsInLaterRounds) {
  const Features features = hand_features();
  const LedgerItems items = ledger_items(features, hand_tensor_groups());
  Ledger ledger(items);
  for (const std::size_t device : {1, 0, 1}) ledger.place(device);
  ledger.begin_round();
  // Without item 0: items 1 (3 s, 20 bytes) on device 0 and 2 (4 s, 30 bytes) on device 1. 8 bytes
  // go to device 0 and 4 to device 1.
  expect_table(read(ledger, 2), {{2 / 3.0, std::log(2), 1, -1 / 6.0, 0.3, 0, 0, 0},
                                 {1 / 3.0, std::log(2), 4 / 3.0, 1 / 6.0, 2, std::log(1.5), 0, 1}});
  ledger.place(0);
  // Item 0 (1 s, 10 bytes) on device 0, item 2 on device 1. The schedule begins anew: item 1 ends
  // at 4 s on device 0 and at 8 s on device 1, where what it reads comes at 5 s.
  expect_table(read(ledger, 2),
               {{1 / 3.0, std::log(4.5), 1 / 3.0, -0.5, 0.3, 0, 0, 1},
                {2 / 3.0, std::log(3), 4 / 3.0, 0.5, 2.5, std::log(3), std::log(3.5), 0}});
}

TEST(Ledger, CountsMemoryUpToFourTimesWhatThereIs) {
  Features features = hand_features();
  features.usable_bytes = {2, std::numeric_limits<double>::infinity()};
  const LedgerItems items = ledger_items(features, hand_tensor_groups());
  const Table table = read(Ledger(items), 2);
  EXPECT_EQ(table[0][4], 4);
  EXPECT_EQ(table[1][4], 0);
}

TEST(Ledger, WritesIntoRowsThatAreWider) {
  const Features features = hand_features();
  const LedgerItems items = ledger_items(features, hand_tensor_groups());
  constexpr std::size_t kWide = Ledger::kNumbers + 2;
  std::vector<float> wide(2 * kWide, -7.0f);
  Ledger(items).read(wide.data(), kWide);
  for (std::size_t device = 0; device < 2; ++device) {
    EXPECT_NE(wide[device * kWide + Ledger::kNumbers - 1], -7.0f);
    EXPECT_EQ(wide[device * kWide + Ledger::kNumbers], -7.0f);
    EXPECT_EQ(wide[device * kWide + Ledger::kNumbers + 1], -7.0f);
  }
  EXPECT_EQ(wide[4], 0.1f);
  EXPECT_EQ(wide[kWide + 4], 0.5f);
}

TEST(Ledger, ComparesEndsOnDevicesThatAreAllowed) {
  Features features = hand_features();
  features.allowed[0] = 0;  // item 0 would end first on device 0, but may not go there
  const LedgerItems items = ledger_items(features, hand_tensor_groups());
  EXPECT_EQ(read(Ledger(items), 2)[1][5], 0);
  const std::int64_t groups[] = {1, 0, 1};
  const LedgerItems of_groups = ledger_items(features, hand_tensor_groups(), groups, 2);
  EXPECT_EQ(of_groups.allowed, (std::vector<std::uint8_t>{1, 1, 0, 1}));
}

TEST(Ledger, MovesATensorToADeviceOnce) {
  const Features features = hand_features();
  const LedgerItems items = ledger_items(features, {{0, {1, 2}, 8}});
  Ledger ledger(items);
  ledger.place(1);
  // 8 bytes take 2 s to device 0 for item 1, and are there for item 2.
  EXPECT_NEAR(read(ledger, 2)[0][1], std::log(2), 1e-12);
  EXPECT_EQ(read(ledger, 2)[0][0], 0);
  ledger.place(0);
  EXPECT_EQ(read(ledger, 2)[0][1], 0);
  EXPECT_EQ(read(ledger, 2)[0][0], 1);
  // Device 0 is busy until 7 s, when they have long been there: item 2 ends at 9 s there, and on
  // device 1 at 6 s.
  EXPECT_NEAR(read(ledger, 2)[0][5], std::log(2.5), 1e-12);
  ledger.place(0);
  ledger.begin_round();
  // Item 0 on device 1 would send one copy, for both.
  EXPECT_NEAR(read(ledger, 2)[1][1], std::log(2), 1e-12);
  ledger.place(0);
  ledger.place(1);  // item 1, whose copy is item 1's alone: item 2 stays beside item 0
  EXPECT_EQ(read(ledger, 2)[0][0], 1);
  EXPECT_EQ(read(ledger, 2)[1][0], 1);
}

TEST(Ledger, SendsOneTensorAtATimeFromDeviceToDevice) {
  Features features = hand_features();
  features.seconds = {1, 1, 1, 1, 1, 1};
  const LedgerItems items = ledger_items(features, {{0, {2}, 8}, {1, {2}, 4}});
  Ledger ledger(items);
  ledger.place(1);  // until 1 s
  ledger.place(1);  // until 2 s
  // 8 bytes move from 1 s to 3 s, then 4 bytes until 4 s: item 2 ends at 5 s on device 0, at 3 s on
  // device 1.
  EXPECT_NEAR(read(ledger, 2)[0][5], std::log(2), 1e-12);
  EXPECT_NEAR(read(ledger, 2)[0][6], std::log(3), 1e-12);
}

TEST(Ledger, OfGroupsSumsTheirUnits) {
  // Units 1 and 2 are group 0, unit 0 is group 2, and group 1 is empty.
  const Features features = hand_features();
  const std::int64_t groups[] = {2, 0, 0};
  const LedgerItems items = ledger_items(features, hand_tensor_groups(), groups, 3);
  EXPECT_EQ(items.seconds, (std::vector<double>{5, 7, 0, 0, 1, 2}));
  EXPECT_EQ(items.bytes, (std::vector<double>{50, 0, 10}));
  // What is inside a group does not travel.
  EXPECT_EQ(items.tensor_groups, (std::vector<TensorGroup>{{2, {0}, 12}}));
  EXPECT_TRUE(std::ranges::equal(items.reads.row(0), std::vector{0u}));
  EXPECT_TRUE(items.reads.row(1).empty());
  EXPECT_TRUE(std::ranges::equal(items.makes.row(2), std::vector{0u}));
}

TEST(Ledger, OfGroupsOfOneUnitIsThatOfUnits) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Problem problem = small_problem(seed, 9, 3);
    const place::Units units = place::make_units(problem, "ops");
    const Features features = make_features(problem, units, Vocabulary());
    std::vector<std::int64_t> groups(units.size());
    for (std::size_t i = 0; i < groups.size(); ++i) groups[i] = static_cast<std::int64_t>(i);
    const std::vector<TensorGroup> tensor_groups = tensor_groups_of(problem.graph(), units);
    const LedgerItems of_units = ledger_items(features, tensor_groups);
    const LedgerItems of_groups =
        ledger_items(features, tensor_groups, groups.data(), groups.size());
    Ledger one(of_units);
    Ledger other(of_groups);
    Random random(seed);
    for (std::size_t i = 0; i < units.size(); ++i) {
      EXPECT_EQ(read(one, 3), read(other, 3));
      const std::size_t device = random.below(3);
      one.place(device);
      other.place(device);
    }
  }
}

TEST(Ledger, OfExtremesIsFinite) {
  // Each op is free on one device and takes for ever on the other; no memory, no routes.
  GraphBuilder builder("extremes");
  TensorRef last;
  for (int i = 0; i < 4; ++i) {
    const OpId op = builder.add_op(fmt::format("op{}", i), "Op");
    builder.add_seconds(op, "cpu", i % 2 == 0 ? 1e300 : 0);
    builder.add_seconds(op, "gpu", i % 2 == 0 ? 0 : 5e-324);
    if (i > 0) builder.add_input(op, last);
    last = builder.add_output(op, {.bytes = i == 1 ? 0 : 200'000'000'000'000'000});
  }
  std::vector<Device> devices(2);
  for (std::size_t i = 0; i < 2; ++i) {
    devices[i].kind = i == 0 ? "cpu" : "gpu";
    devices[i].name = devices[i].kind + ":0";
    devices[i].memory_bytes = 0;
  }
  const Problem problem(std::move(builder).build(), Cluster("two", devices, {}, {}));
  const place::Units units = place::make_units(problem, "ops");
  const Features features = make_features(problem, units, Vocabulary());
  const LedgerItems items = ledger_items(features, tensor_groups_of(problem.graph(), units));
  for (std::size_t plan = 0; plan < 16; ++plan) {
    Ledger ledger(items);
    for (std::size_t i = 0; i < 4; ++i) {
      std::vector<float> numbers(2 * Ledger::kNumbers);
      ledger.read(numbers.data(), Ledger::kNumbers);
      for (std::size_t k = 0; k < numbers.size(); ++k) {
        ASSERT_TRUE(std::isfinite(numbers[k])) << "plan " << plan << " item " << i << " " << k;
      }
      ledger.place((plan >> i) & 1);
    }
  }
}

}  // namespace
}  // namespace berth::learn
