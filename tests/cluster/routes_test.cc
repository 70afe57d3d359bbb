// Routes against their definition: every simple path through switches is enumerated and the best
// one taken, on random clusters made so that all four criteria have to decide.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "base/random.h"
#include "cluster/cluster.h"
#include "cluster/plain_parts.h"

namespace berth {
namespace {

std::vector<std::uint32_t> channels_of(const Cluster& cluster, std::size_t from, std::size_t to) {
  const Route route = cluster.route(DeviceId(from), DeviceId(to));
  return {route.channels.begin(), route.channels.end()};
}

struct Candidate {
  double bandwidth = 0;
  double latency = 0;
  std::vector<std::uint32_t> links;
  std::vector<std::uint32_t> channels;

  bool better_than(const Candidate& other) const {
    if (bandwidth != other.bandwidth) return bandwidth > other.bandwidth;
    if (links.size() != other.links.size()) return links.size() < other.links.size();
    if (latency != other.latency) return latency < other.latency;
    return links < other.links;
  }
};

// Depth first over all simple paths, keeping the best that ends in `target`.
class Enumeration {
 public:
  Enumeration(const Cluster& cluster, std::uint32_t target)
      : cluster_(cluster), target_(target), visited_(cluster.vertex_count(), false) {}

  Candidate best_from(std::uint32_t source) {
    Candidate start;
    start.bandwidth = std::numeric_limits<double>::infinity();
    extend(source, start);
    return best_;
  }

 private:
  void extend(std::uint32_t vertex, const Candidate& prefix) {
    visited_[vertex] = true;
    for (std::uint32_t i = 0; i < cluster_.links().size(); ++i) {
      const Link& link = cluster_.links()[i];
      if (link.from != vertex && link.to != vertex) continue;
      const std::uint32_t next = link.from == vertex ? link.to : link.from;
      if (visited_[next]) continue;
      Candidate path = prefix;
      path.bandwidth = std::min(path.bandwidth, link.bandwidth);
      path.latency += link.latency_seconds;
      path.links.push_back(i);
      path.channels.push_back(2 * i + (link.duplex && link.to == vertex ? 1 : 0));
      if (next == target_) {
        if (best_.links.empty() || path.better_than(best_)) best_ = path;
      } else if (next >= cluster_.device_count()) {
        extend(next, path);
      }
    }
    visited_[vertex] = false;
  }

  const Cluster& cluster_;
  std::uint32_t target_;
  std::vector<bool> visited_;
  Candidate best_;
};

void expect_routes_match_enumeration(const Cluster& cluster, const std::string& trace) {
  SCOPED_TRACE(trace);
  for (std::uint32_t from = 0; from < cluster.device_count(); ++from) {
    for (std::uint32_t to = 0; to < cluster.device_count(); ++to) {
      const Route route = cluster.route(DeviceId(from), DeviceId(to));
      const Candidate expected =
          from == to ? Candidate{} : Enumeration(cluster, to).best_from(from);
      ASSERT_EQ(channels_of(cluster, from, to), expected.channels) << from << " to " << to;
      ASSERT_EQ(route.exists(), !expected.links.empty());
      ASSERT_EQ(route.bandwidth, expected.bandwidth);
      ASSERT_EQ(route.latency_seconds, expected.latency);
    }
  }
}

struct RandomShape {
  std::int64_t most_devices = 4;
  std::int64_t most_switches = 4;
  std::int64_t most_links = 12;
  std::vector<double> bandwidths;
  std::vector<double> latencies;
};

Cluster random_cluster(Random& random, const RandomShape& shape) {
  const auto pick = [&](const std::vector<double>& from) {
    return from[random.below(from.size())];
  };
  const auto devices = static_cast<std::size_t>(random.between(2, shape.most_devices));
  const auto switches = static_cast<std::size_t>(random.between(0, shape.most_switches));
  std::vector<Link> links(static_cast<std::size_t>(random.between(0, shape.most_links)));
  for (Link& link : links) {
    link.from = static_cast<std::uint32_t>(random.below(devices + switches));
    do {
      link.to = static_cast<std::uint32_t>(random.below(devices + switches));
    } while (link.to == link.from);
    link.bandwidth = pick(shape.bandwidths);
    link.latency_seconds = pick(shape.latencies);
    link.duplex = random.chance(0.7);
  }
  return Cluster("random", make_devices(devices), make_switches(switches), links);
}

TEST(Routes, MatchEnumerationWithManyTies) {
  Random random(1);
  const RandomShape shape{.bandwidths = {1, 2, 4}, .latencies = {0, 1, 2}};
  for (int i = 0; i < 600; ++i)
    expect_routes_match_enumeration(random_cluster(random, shape), fmt::format("cluster {}", i));
}

TEST(Routes, MatchEnumerationOnDenseSwitchMeshes) {
  Random random(2);
  const RandomShape shape{.most_devices = 3,
                          .most_switches = 5,
                          .most_links = 18,
                          .bandwidths = {1, 2, 3, 5},
                          .latencies = {1, 2, 3}};
  for (int i = 0; i < 300; ++i)
    expect_routes_match_enumeration(random_cluster(random, shape), fmt::format("cluster {}", i));
}

// Sums of these round, so that prefixes of different latency end in equal totals and only the exact
// search finds the smallest list.
TEST(Routes, MatchEnumerationWhenLatenciesRoundTogether) {
  Random random(3);
  const RandomShape shape{.most_devices = 3,
                          .most_switches = 5,
                          .most_links = 18,
                          .bandwidths = {1, 2},
                          .latencies = {0.1, 0.2, 0.3, 1e-17, 1e-16, 2e-16, 1, 1e-300}};
  for (int i = 0; i < 600; ++i)
    expect_routes_match_enumeration(random_cluster(random, shape), fmt::format("cluster {}", i));
}

// Layers of switches between two devices: many paths of equal length, hardly any of equal prefixes.
Cluster random_layers(Random& random, const RandomShape& shape) {
  constexpr std::uint32_t kDevices = 2;
  std::vector<std::vector<std::uint32_t>> layers = {{0}};
  std::uint32_t vertex = kDevices;
  for (std::int64_t layer = random.between(2, 3); layer > 0; --layer) {
    layers.emplace_back();
    for (std::int64_t i = random.between(2, 3); i > 0; --i) layers.back().push_back(vertex++);
  }
  layers.push_back({1});
  std::vector<Link> links;
  for (std::size_t layer = 1; layer < layers.size(); ++layer) {
    for (const std::uint32_t from : layers[layer - 1]) {
      for (const std::uint32_t to : layers[layer]) {
        links.push_back({from, to, shape.bandwidths[random.below(shape.bandwidths.size())],
                         shape.latencies[random.below(shape.latencies.size())]});
      }
    }
  }
  random.shuffle(std::span<Link>(links));
  return Cluster("layers", make_devices(kDevices), make_switches(vertex - kDevices), links);
}

TEST(Routes, MatchEnumerationOnLayersThatRoundTogether) {
  Random random(5);
  // Half the distance from 1 to the next double is 1.1e-16: what is below that vanishes in a sum.
  const RandomShape shape{.bandwidths = {1, 2, 2, 2, 2, 2},
                          .latencies = {0, 2e-17, 5e-17, 7e-17, 9e-17, 1e-16, 3e-16, 1, 1}};
  for (int i = 0; i < 2000; ++i)
    expect_routes_match_enumeration(random_layers(random, shape), fmt::format("cluster {}", i));
}

TEST(Routes, MatchEnumerationWhenLatenciesOverflow) {
  Random random(4);
  const RandomShape shape{.bandwidths = {1, 2}, .latencies = {1.2e308, 1e308, 1}};
  for (int i = 0; i < 200; ++i)
    expect_routes_match_enumeration(random_cluster(random, shape), fmt::format("cluster {}", i));
}

TEST(Routes, WiderGoesBeforeShorter) {
  // Direct at 1, or through the switch at 2.
  const Cluster cluster("", make_devices(2), {"s"}, {{0, 1, 1, 0}, {0, 2, 2, 0}, {2, 1, 2, 0}});
  EXPECT_EQ(channels_of(cluster, 0, 1), (std::vector<std::uint32_t>{2, 4}));
  EXPECT_EQ(channels_of(cluster, 1, 0), (std::vector<std::uint32_t>{5, 3}));
  EXPECT_EQ(cluster.route(DeviceId(0), DeviceId(1)).bandwidth, 2);
}

TEST(Routes, NarrowEndTakesTheShortPrefix) {
  // To the switch s1 the wide way has two links and the narrow way one. d1 hangs on s1 by a wide
  // link and takes the wide way, d2 by a narrow one and takes the short way.
  const Cluster cluster("", make_devices(3), {"s0", "s1"},
                        {{0, 3, 8, 1}, {3, 4, 8, 1}, {0, 4, 2, 1}, {4, 1, 8, 1}, {4, 2, 2, 1}});
  EXPECT_EQ(channels_of(cluster, 0, 1), (std::vector<std::uint32_t>{0, 2, 6}));
  EXPECT_EQ(channels_of(cluster, 0, 2), (std::vector<std::uint32_t>{4, 8}));
}

TEST(Routes, SlowerPrefixOfSmallerListWinsWhenTotalsRoundTogether) {
  // By link 0 the switch is reached a hair later than by link 1, which a second's latency swallows.
  const Cluster cluster("", make_devices(2), {"s"},
                        {{0, 2, 1, 2e-17}, {0, 2, 1, 1e-17}, {2, 1, 1, 1}});
  EXPECT_EQ(channels_of(cluster, 0, 1), (std::vector<std::uint32_t>{0, 4}));
  EXPECT_EQ(channels_of(cluster, 1, 0), (std::vector<std::uint32_t>{5, 1}));
}

TEST(Routes, ParallelLinksTakeTheFirstOfTheBest) {
  const Cluster cluster("", make_devices(2), {},
                        {{0, 1, 1, 5}, {1, 0, 3, 7}, {0, 1, 3, 6}, {1, 0, 3, 6}});
  EXPECT_EQ(channels_of(cluster, 0, 1), (std::vector<std::uint32_t>{4}));
  EXPECT_EQ(channels_of(cluster, 1, 0), (std::vector<std::uint32_t>{5}));
}

TEST(Routes, HalfDuplexSharesOneChannel) {
  const Cluster cluster("", make_devices(2), {}, {{1, 0, 1, 0, false}});
  EXPECT_EQ(channels_of(cluster, 0, 1), (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(channels_of(cluster, 1, 0), (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(cluster.channel_count(), 2u);
}

TEST(Routes, DevicesDoNotForward) {
  const Cluster cluster("", make_devices(3), {}, {{0, 1, 1, 0}, {1, 2, 1, 0}});
  EXPECT_FALSE(cluster.route(DeviceId(0), DeviceId(2)).exists());
  EXPECT_FALSE(cluster.route(DeviceId(0), DeviceId(0)).exists());
  EXPECT_TRUE(cluster.route(DeviceId(0), DeviceId(1)).exists());
}

TEST(Routes, PriceTransfersByLatencyAndBottleneck) {
  const Cluster cluster("", make_devices(2), {"s"}, {{0, 2, 8, 0.5}, {2, 1, 4, 0.25}});
  EXPECT_EQ(cluster.transfer_seconds(DeviceId(0), DeviceId(1), 16), 0.75 + 4);
}

double seconds_to_build(std::size_t devices, std::size_t switches, const std::vector<Link>& links) {
  const auto start = std::chrono::steady_clock::now();
  const Cluster cluster("large", make_devices(devices), make_switches(switches), links);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  for (std::size_t i = 1; i < devices; ++i)
    EXPECT_TRUE(cluster.route(DeviceId(0), DeviceId(i)).exists()) << i;
  return taken.count();
}

// The limit is generous: the tests also run with sanitizers and beside others.
constexpr double kSecondsAllowed = 20;

TEST(Routes, LargeStarFinishes) {
  std::vector<Link> links;
  for (std::uint32_t i = 0; i < 1024; ++i) links.push_back({i, 1024, 1e9 + i, 1e-6});
  EXPECT_LT(seconds_to_build(1024, 1, links), kSecondsAllowed);
}

TEST(Routes, LargeMeshFinishes) {
  std::vector<Link> links;
  for (std::uint32_t i = 0; i < 1024; ++i)
    for (std::uint32_t j = 0; j < i; ++j) links.push_back({i, j, 1e9 + i * j, 1e-6 * (i % 7)});
  EXPECT_EQ(links.size(), 523776u);
  EXPECT_LT(seconds_to_build(1024, 0, links), kSecondsAllowed);
}

TEST(Routes, LargeTwoLevelTreeFinishes) {
  std::vector<Link> links;
  for (std::uint32_t host = 0; host < 128; ++host) {
    for (std::uint32_t i = 0; i < 8; ++i) links.push_back({8 * host + i, 1024 + host, 3e11, 1e-6});
    links.push_back({1024 + host, 1024 + 128, 2.5e10 + host, 1e-6 / (host + 1)});
  }
  EXPECT_LT(seconds_to_build(1024, 129, links), kSecondsAllowed);
}

TEST(Routes, LargeFatTreeWithUnevenLatenciesFinishes) {
  // 64 racks of 16 under 16 spines: sixteen ways between any two racks, near ties included.
  std::vector<Link> links;
  for (std::uint32_t rack = 0; rack < 64; ++rack) {
    for (std::uint32_t i = 0; i < 16; ++i)
      links.push_back({16 * rack + i, 1024 + rack, 1e10, 1e-6});
    for (std::uint32_t spine = 0; spine < 16; ++spine)
      links.push_back({1024 + rack, 1088 + spine, 1e11, spine % 3 == 0 ? 0.3e-6 : 0.1e-6 + 0.2e-6});
  }
  EXPECT_LT(seconds_to_build(1024, 80, links), kSecondsAllowed);
}

}  // namespace
}  // namespace berth
