// Routes of clusters too large for a table, against the table on clusters that have both.
#include "cluster/large_routes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "cluster/class_routes.h"
#include "cluster/plain_parts.h"
#include "cluster/presets.h"
#include "cluster/tree_routes.h"

namespace berth {
namespace {

std::vector<std::uint32_t> channels_of(const Route& route) {
  return {route.channels.begin(), route.channels.end()};
}

void expect_same_routes(const Cluster& cluster, const LargeRoutes& routes) {
  for (std::size_t from = 0; from < cluster.device_count(); ++from) {
    for (std::size_t to = 0; to < cluster.device_count(); ++to) {
      if (from == to) continue;
      const Route expected = cluster.route(DeviceId(from), DeviceId(to));
      const Route found = routes.find(DeviceId(from), DeviceId(to));
      ASSERT_EQ(channels_of(found), channels_of(expected)) << from << " to " << to;
      ASSERT_EQ(found.latency_seconds, expected.latency_seconds);
      ASSERT_EQ(found.bandwidth, expected.bandwidth);
    }
  }
}

// Few different figures, so that all criteria have to decide. The links of a tree of switches, or
// of a few switches any to any, come among those of the devices, in any order.
class RandomLinks {
 public:
  explicit RandomLinks(Random& random) : random_(random) {}

  Link link(std::size_t from, std::size_t to) {
    constexpr double kBandwidths[] = {1, 2, 3};
    constexpr double kLatencies[] = {0.1, 0.2, 0.3};  // whose sums round
    Link link{static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to),
              kBandwidths[random_.below(3)], kLatencies[random_.below(3)], random_.chance(0.7)};
    if (random_.chance(0.5)) std::swap(link.from, link.to);
    return link;
  }

 private:
  Random& random_;
};

TEST(LargeRoutes, TreesGiveTheRoutesOfTheTable) {
  Random random(11);
  RandomLinks make(random);
  for (int round = 0; round < 400; ++round) {
    SCOPED_TRACE(round);
    const std::size_t devices = 2 + random.below(8);
    const std::size_t switches = random.below(9);
    std::vector<Link> links;
    for (std::size_t i = 1; i < switches; ++i) {  // some trees have several roots
      if (random.chance(0.85)) links.push_back(make.link(devices + i, devices + random.below(i)));
    }
    for (std::size_t device = 0; device < devices; ++device) {
      for (std::size_t k = random.below(4); switches > 0 && k > 0; --k) {
        links.push_back(make.link(device, devices + random.below(switches)));
      }
      if (device > 0 && random.chance(0.2))
        links.push_back(make.link(device, random.below(device)));
    }
    random.shuffle(std::span(links));
    const Cluster cluster("random", make_devices(devices), make_switches(switches), links);
    const auto routes = TreeRoutes::build(cluster);
    ASSERT_NE(routes, nullptr);
    expect_same_routes(cluster, *routes);
  }
}

TEST(LargeRoutes, RingsAndDeepTreesAreNoTrees) {
  const auto build = [](std::size_t switches, std::vector<Link> links) {
    return TreeRoutes::build(
        Cluster("", make_devices(2), make_switches(switches), std::move(links)));
  };
  EXPECT_NE(build(3, {{2, 3, 1, 0}, {3, 4, 1, 0}}), nullptr);
  EXPECT_EQ(build(3, {{2, 3, 1, 0}, {3, 4, 1, 0}, {4, 2, 1, 0}}), nullptr);
  EXPECT_EQ(build(2, {{2, 3, 1, 0}, {3, 2, 1, 0}}), nullptr);
  EXPECT_EQ(build(2, {{2, 3, 1, 0, false}, {3, 2, 1, 0, false}}), nullptr);
  std::vector<Link> chain;
  for (std::uint32_t i = 2; i < 17; ++i) chain.push_back({i, i + 1, 1, 0});
  EXPECT_EQ(build(16, chain), nullptr);
  chain.pop_back();
  EXPECT_NE(build(16, chain), nullptr);
}

TEST(LargeRoutes, ClassesGiveTheRoutesOfTheTable) {
  Random random(12);
  RandomLinks make(random);
  for (int round = 0; round < 400; ++round) {
    SCOPED_TRACE(round);
    const std::size_t switches = 1 + random.below(6);
    const std::size_t classes = 1 + random.below(4);
    const std::size_t members = 1 + random.below(3);
    const std::size_t devices = classes * members;
    std::vector<Link> links;
    for (std::size_t i = random.below(3 * switches); i > 0; --i) {
      const std::size_t from = random.below(switches);
      const std::size_t to = random.below(switches);
      if (from != to) links.push_back(make.link(devices + from, devices + to));
    }
    for (std::size_t c = 0; c < classes; ++c) {
      for (std::size_t k = random.below(4); k > 0; --k) {
        Link like = make.link(0, devices + random.below(switches));
        for (std::size_t m = 0; m < members; ++m) {
          Link link = like;
          (link.from == 0 ? link.from : link.to) = static_cast<std::uint32_t>(c * members + m);
          link.duplex = random.chance(0.5);
          links.push_back(link);
        }
      }
    }
    if (devices > 1 && random.chance(0.3)) links.push_back(make.link(0, devices - 1));
    const Cluster cluster("random", make_devices(devices), make_switches(switches), links);
    expect_same_routes(cluster, ClassRoutes(cluster));
  }
}

// Hosts with devices of two sorts on a network of switches with rings, and a few devices elsewhere.
TEST(LargeRoutes, HostsOnANetworkGiveTheRoutesOfTheTable) {
  Random random(13);
  RandomLinks make(random);
  for (int round = 0; round < 400; ++round) {
    SCOPED_TRACE(round);
    const std::size_t hosts = 1 + random.below(5);
    const std::size_t network = 1 + random.below(4);
    const std::size_t lonely = random.below(3);
    const std::size_t devices = 3 * hosts + lonely;
    std::vector<Link> links;
    const Link sorts[] = {make.link(0, 1), make.link(0, 1), make.link(0, 1)};
    const auto like = [&](const Link& sort, std::size_t from, std::size_t to) {
      links.push_back({static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to),
                       sort.bandwidth, sort.latency_seconds, random.chance(0.5)});
    };
    for (std::size_t host = 0; host < hosts; ++host) {
      const std::size_t inside = devices + host;
      like(sorts[0], 3 * host, inside);
      like(sorts[0], inside, 3 * host + 1);
      like(sorts[1], 3 * host + 2, inside);
      like(sorts[1 + random.below(2)], inside, devices + hosts + random.below(network));
      if (random.chance(0.2)) links.push_back(make.link(3 * host, devices + random.below(hosts)));
    }
    for (std::size_t i = 0; i < lonely; ++i)
      links.push_back(make.link(3 * hosts + i, devices + random.below(hosts + network)));
    for (std::size_t i = random.below(3 * network); i > 0; --i) {
      const std::size_t from = devices + hosts + random.below(network);
      const std::size_t to = devices + random.below(hosts + network);
      if (from != to && random.chance(0.8)) links.push_back(make.link(from, to));
    }
    if (random.chance(0.5)) random.shuffle(std::span(links));
    const Cluster cluster("random", make_devices(devices), make_switches(hosts + network), links);
    expect_same_routes(cluster, ClassRoutes(cluster));
  }
}

TEST(LargeRoutes, PresetsGiveTheRoutesOfTheTable) {
  for (const std::string name : {"3x8xA100-ib", "3x8xV100-ib", "8xK80", "16xV100-nvlink"}) {
    SCOPED_TRACE(name);
    const Cluster cluster = make_preset(name);
    expect_same_routes(cluster, ClassRoutes(cluster));
    const auto trees = TreeRoutes::build(cluster);
    // In a host of V100 the network closes rings with the bridge between the PCIe switches.
    EXPECT_EQ(trees == nullptr, name == "3x8xV100-ib");
    if (trees != nullptr) expect_same_routes(cluster, *trees);
  }
}

// Hosts of eight devices behind a switch, hosts behind one network.
Cluster hosts_of_eight(std::size_t hosts) {
  const std::size_t devices = 8 * hosts;
  const auto network = static_cast<std::uint32_t>(devices + hosts);
  std::vector<Link> links;
  for (std::uint32_t host = 0; host < hosts; ++host) {
    const auto inside = static_cast<std::uint32_t>(devices + host);
    for (std::uint32_t i = 0; i < 8; ++i) links.push_back({8 * host + i, inside, 64e9, 5e-6});
    links.push_back({inside, network, 50e9, 7e-6});
  }
  return Cluster("hosts", make_devices(devices), make_switches(hosts + 1), links);
}

TEST(LargeRoutes, SixteenThousandDevices) {
  const Cluster cluster = hosts_of_eight(2048);
  ASSERT_EQ(cluster.device_count(), 16384u);
  const Route inside = cluster.route(DeviceId(0), DeviceId(7));
  EXPECT_EQ(channels_of(inside), (std::vector<std::uint32_t>{0, 15}));
  EXPECT_EQ(inside.bandwidth, 64e9);
  const Route across = cluster.route(DeviceId(0), DeviceId(16383));
  EXPECT_EQ(channels_of(across), (std::vector<std::uint32_t>{0, 16, 36863, 36861}));
  EXPECT_EQ(across.bandwidth, 50e9);
  EXPECT_EQ(across.latency_seconds, 5e-6 + 7e-6 + 7e-6 + 5e-6);
  EXPECT_EQ(cluster.transfer_seconds(DeviceId(0), DeviceId(16383), 1000),
            across.latency_seconds + 1000 / 50e9);
  EXPECT_FALSE(cluster.route(DeviceId(3), DeviceId(3)).exists());
  Cluster copy = cluster;
  const Cluster moved = std::move(copy);
  EXPECT_EQ(channels_of(moved.route(DeviceId(16383), DeviceId(0))),
            (std::vector<std::uint32_t>{36860, 36862, 17, 1}));
}

// With a CPU a host, on leaves and spines: rings, but few different places.
TEST(LargeRoutes, EighteenThousandDevicesUnderSpines) {
  const std::uint32_t hosts = 2048, leaves = 64, spines = 4;
  const std::uint32_t devices = 9 * hosts;
  std::vector<Link> links;
  for (std::uint32_t host = 0; host < hosts; ++host) {
    const std::uint32_t inside = devices + host;
    for (std::uint32_t i = 0; i < 8; ++i) links.push_back({9 * host + i, inside, 64e9, 5e-6});
    links.push_back({9 * host + 8, inside, 32e9, 5e-6});
    links.push_back({inside, devices + hosts + host % leaves, 50e9, 7e-6});
  }
  for (std::uint32_t leaf = 0; leaf < leaves; ++leaf) {
    for (std::uint32_t spine = 0; spine < spines; ++spine)
      links.push_back({devices + hosts + leaf, devices + hosts + leaves + spine, 100e9, 1e-6});
  }
  const Cluster cluster("spines", make_devices(devices), make_switches(hosts + leaves + spines),
                        links);
  const std::uint32_t first_spine_link = 10 * hosts;
  EXPECT_EQ(channels_of(cluster.route(DeviceId(0), DeviceId(9 * 1 + 8))),
            (std::vector<std::uint32_t>{0, 18, 2 * first_spine_link, 2 * (first_spine_link + 4) + 1,
                                        39, 37}));
  EXPECT_EQ(channels_of(cluster.route(DeviceId(0), DeviceId(8))),
            (std::vector<std::uint32_t>{0, 17}));
  EXPECT_EQ(cluster.route(DeviceId(0), DeviceId(8)).bandwidth, 32e9);
  EXPECT_EQ(cluster.route(DeviceId(0), DeviceId(9 * 64)).channels.size(), 4u);  // the same leaf
}

TEST(LargeRoutes, TooManyPlacesInARingAreRefused) {
  const std::uint32_t count = 4000;
  std::vector<Link> links;
  for (std::uint32_t i = 0; i < count; ++i) {
    links.push_back({i, count + i, 1, 0});
    links.push_back({count + i, count + (i + 1) % count, 1, 0});
  }
  try {
    const Cluster cluster("ring", make_devices(count), make_switches(count), links);
    FAIL() << "should be refused";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "the cluster has 4,000 devices, and the routes between their 4,000 different "
                 "places in its network, which has rings, do not fit in 400 MiB; Berth handles "
                 "1,024 devices joined in any way, and up to 65,534 where the switches form trees "
                 "or many devices are on the same switches");
  }
}

}  // namespace
}  // namespace berth
