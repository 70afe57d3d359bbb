// Every built-in cluster builds, survives its file format, names its sources and has figures of
// sensible size; names follow their patterns; files and presets are told apart.
#include "cluster/presets.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "base/sha256.h"
#include "cluster/cluster_file.h"
#include "cluster/preset_devices.h"

namespace berth {
namespace {

constexpr std::int64_t kGibi = std::int64_t{1} << 30;

double bandwidth(const Cluster& cluster, std::string_view from, std::string_view to) {
  return cluster.route(cluster.find_device(from).value(), cluster.find_device(to).value())
      .bandwidth;
}

std::string error_of(const std::string& name) {
  try {
    load_cluster(name);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Presets, AllBuildAndRoundTrip) {
  std::set<std::string> names;
  for (const ClusterPreset& preset : cluster_presets()) {
    SCOPED_TRACE(preset.name);
    EXPECT_TRUE(names.insert(preset.name).second);
    EXPECT_TRUE(is_preset(preset.name));
    EXPECT_FALSE(preset.summary.empty());
    EXPECT_LE(preset.name.size() + 2 + preset.summary.size(), 80u);
    EXPECT_FALSE(preset.sources.empty());
    EXPECT_EQ(preset.sources, preset_sources(preset.name));
    const Cluster cluster = make_preset(preset.name);
    EXPECT_EQ(cluster.name(), preset.name);
    const std::string text = cluster_to_json(cluster);
    const Cluster again = parse_cluster(text, preset.name);
    EXPECT_EQ(cluster_to_json(again), text);
    EXPECT_TRUE(std::equal(cluster.devices().begin(), cluster.devices().end(),
                           again.devices().begin(), again.devices().end()));
  }
}

TEST(Presets, AllHaveSensibleFigures) {
  for (const ClusterPreset& preset : cluster_presets()) {
    SCOPED_TRACE(preset.name);
    const Cluster cluster = make_preset(preset.name);
    EXPECT_EQ(cluster.devices()[0].kind, "cpu");
    for (const Device& device : cluster.devices()) {
      SCOPED_TRACE(device.name);
      EXPECT_GE(device.memory_bytes, 4 * kGibi);
      EXPECT_LE(device.memory_bytes, 2048 * kGibi);
      EXPECT_GT(device.reserved_bytes, 0);
      EXPECT_LE(device.reserved_bytes, device.memory_bytes / 4);
      EXPECT_GE(device.flops_for(DType::f32), 0.5e12);
      EXPECT_LE(device.flops_for(DType::f32), 200e12);
      EXPECT_GE(device.flops_for(DType::f16), device.flops_for(DType::f32));
      EXPECT_LE(device.flops_for(DType::f64), device.flops_for(DType::f32));
      EXPECT_GE(device.bandwidth, 50e9);
      EXPECT_LE(device.bandwidth, 8e12);
      EXPECT_GE(device.launch_seconds, 1e-6);
      EXPECT_LE(device.launch_seconds, 2e-5);
      EXPECT_FALSE(device.model.empty());
      // Written files show whole numbers, not neighbours of them.
      EXPECT_EQ(device.bandwidth, std::floor(device.bandwidth));
      for (const auto& rate : device.flops) EXPECT_EQ(rate.second, std::floor(rate.second));
    }
    for (std::size_t from = 0; from < cluster.device_count(); ++from) {
      for (std::size_t to = 0; to < cluster.device_count(); ++to) {
        const Route route = cluster.route(DeviceId(from), DeviceId(to));
        ASSERT_EQ(route.exists(), from != to);
        if (from == to) continue;
        EXPECT_GE(route.bandwidth, 10e9);
        EXPECT_LE(route.bandwidth, 900e9);
        EXPECT_GE(route.latency_seconds, 5e-6);
        EXPECT_LE(route.latency_seconds, 30e-6);
      }
    }
  }
}

TEST(Presets, NamesFollowThePatterns) {
  for (const char* name : {"1xK40",
                           "3xK40",
                           "7xK80",
                           "16xK80",
                           "4xK40-pcie",
                           "4xP100",
                           "2xP100-12GB",
                           "6xV100-nvlink",
                           "16xV100-nvlink",
                           "4xV100-pcie",
                           "8xV100-32GB-nvlink",
                           "5xA100",
                           "8xA100-80GB-pcie",
                           "2xH100-nvlink",
                           "2x8xA100-ib",
                           "128x8xH100-ib",
                           "8xMI300X",
                           "4xGaudi3",
                           "2x8xB200-ib",
                           "4xH200-pcie",
                           "2xRTX4090",
                           "RTX4070Ti-Super+RTX3060",
                           "M4-Max",
                           "4x8xV100-ib",
                           "3x4xA100-80GB-ib",
                           "2x1xA100-ib",
                           "2x1xV100-ib",
                           "1x8xA100-ib",
                           "A100",
                           "A100+V100",
                           "RTX3090+RTX3060",
                           "2xA100+2xV100",
                           "K40+P100-12GB+V100",
                           "laptop"}) {
    EXPECT_TRUE(is_preset(name)) << name;
    EXPECT_EQ(make_preset(name).name(), name);
  }
  for (const char* name : {"",
                           "0xK40",
                           "9xK40",
                           "17xA100",
                           "-1xK40",
                           "4x",
                           "x4",
                           "4xK41",
                           "4xk40",
                           "4 x K40",
                           "4xK40-",
                           "4xK40-nvlink",
                           "16xP100-nvlink",
                           "2x8xA100",
                           "8xA100-ib",
                           "2x8xK40-ib",
                           "2x16xA100-ib",
                           "0x8xA100-ib",
                           "2049x8xA100-ib",
                           "2xM4-Max",
                           "M4-Max+RTX3090",
                           "16xMI300X",
                           "8xMI300X-nvlink",
                           "8xMI300X-pcie",
                           "2x8xMI300X-ib",
                           "2x2x2xA100-ib",
                           "A100+",
                           "+",
                           "A100+X",
                           "8xA100+V100",
                           "99999999999xK40",
                           "4xA100-ib-pcie",
                           "laptop+A100"}) {
    EXPECT_FALSE(is_preset(name)) << name;
    EXPECT_THROW(make_preset(name), InputError) << name;
    EXPECT_THROW(preset_sources(name), InputError) << name;
  }
}

TEST(Presets, SaysWhatIsWrongWithAName) {
  EXPECT_EQ(error_of("4xK41").find("there is no cluster \"4xK41\": \"K41\" is not a known GPU "
                                   "model; did you mean \"4xK40\"? Valid are NxMODEL "),
            0u);
  EXPECT_NE(error_of("9xK40").find("a host has 1 to 8 or 16 GPUs, not 9"), std::string::npos);
  EXPECT_NE(error_of("2x9xA100-ib").find("a host has 1 to 8 GPUs, not 9"), std::string::npos);
  EXPECT_NE(error_of("2x8xA100").find("write 2x8xA100-ib"), std::string::npos);
  EXPECT_NE(error_of("4xK40-nvlink").find("K40 has no NVLink"), std::string::npos);
  EXPECT_NE(error_of("2x8xK80-ib").find("there are no such hosts of K80"), std::string::npos);
  EXPECT_NE(error_of("16xP100-nvlink").find("NVLink joins at most 8"), std::string::npos);
}

TEST(Presets, DevicesAreNamedAndCounted) {
  const Cluster one_host = make_preset("4xK40");
  EXPECT_EQ(one_host.device_count(), 5u);
  EXPECT_EQ(one_host.devices()[0].name, "cpu:0");
  EXPECT_EQ(one_host.devices()[4].name, "gpu:3");
  const Cluster hosts = make_preset("2x8xA100-ib");
  EXPECT_EQ(hosts.device_count(), 18u);
  EXPECT_EQ(hosts.devices()[0].name, "host0/cpu:0");
  EXPECT_EQ(hosts.devices()[17].name, "host1/gpu:7");
}

TEST(Presets, CardsShareTheirSwitches) {
  const Cluster cluster = make_preset("4xP100");
  // Through one switch two links, through two switches three.
  const auto links = [&](const char* from, const char* to) {
    return cluster.route(cluster.find_device(from).value(), cluster.find_device(to).value())
        .channels.size();
  };
  EXPECT_EQ(links("gpu:0", "gpu:1"), 2u);
  EXPECT_EQ(links("gpu:0", "gpu:2"), 3u);
  EXPECT_EQ(links("cpu:0", "gpu:3"), 2u);
  EXPECT_EQ(bandwidth(cluster, "gpu:0", "gpu:3"), 12.6e9);
}

TEST(Presets, HybridCubeMeshHasSixLinksAGpu) {
  const Cluster cluster = make_preset("8xV100-nvlink");
  std::vector<double> total(9, 0);
  for (const Link& link : cluster.links()) {
    if (link.from > 8 || link.to > 8) continue;
    total[link.from] += link.bandwidth;
    total[link.to] += link.bandwidth;
  }
  for (std::size_t gpu = 1; gpu <= 8; ++gpu) EXPECT_EQ(total[gpu], 6 * 23e9);
  EXPECT_EQ(bandwidth(cluster, "gpu:0", "gpu:3"), 46e9);
  EXPECT_EQ(bandwidth(cluster, "gpu:0", "gpu:1"), 23e9);
  EXPECT_EQ(bandwidth(cluster, "gpu:0", "gpu:5"), 12.6e9);  // not joined: over PCIe
}

TEST(Presets, EveryModelSaysItsRatesByDtype) {
  const std::set<std::string_view> without_tf32 = {
      "K40",       "K80",    "P100",   "P100-12GB", "V100",   "T4",       "MI250X",
      "V100-32GB", "Gaudi3", "M2-Max", "M2-Ultra",  "M3-Max", "M3-Ultra", "M4-Max"};
  for (const GpuRecord& record : gpu_records()) {
    SCOPED_TRACE(record.preset);
    const auto has = [&](DType dtype) {
      return std::any_of(record.device.flops.begin(), record.device.flops.end(),
                         [&](const auto& rate) { return rate.first == dtype; });
    };
    EXPECT_EQ(record.device.flops.front().first, DType::f32);
    EXPECT_EQ(has(DType::tf32), without_tf32.count(record.preset) == 0);
    EXPECT_FALSE(record.source.empty());
    EXPECT_TRUE(is_preset(record.preset));
  }
}

TEST(Presets, UnifiedMemoryIsSharedOut) {
  const Cluster cluster = make_preset("M2-Ultra");
  ASSERT_EQ(cluster.device_count(), 2u);
  EXPECT_EQ(cluster.devices()[0].memory_bytes + cluster.devices()[1].memory_bytes, 192 * kGibi);
  EXPECT_EQ(cluster.devices()[1].memory_bytes, 144 * kGibi);
  EXPECT_EQ(bandwidth(cluster, "cpu:0", "gpu:0"), 400e9);
  EXPECT_EQ(cluster.devices()[0].kind, "cpu");
}

TEST(Presets, FabricsHaveTheirRates) {
  EXPECT_EQ(bandwidth(make_preset("8xMI300X"), "gpu:0", "gpu:7"), 51.2e9);
  EXPECT_EQ(bandwidth(make_preset("8xGaudi3"), "gpu:2", "gpu:5"), 71.25e9);
  EXPECT_EQ(bandwidth(make_preset("4xMI250X"), "gpu:0", "gpu:1"), 160e9);
  EXPECT_EQ(bandwidth(make_preset("4xMI250X"), "gpu:1", "gpu:2"), 25.2e9);
  EXPECT_EQ(bandwidth(make_preset("8xB200"), "gpu:0", "gpu:7"), 828e9);
  EXPECT_EQ(bandwidth(make_preset("RTX4060"), "cpu:0", "gpu:0"), 12.6e9);  // eight lanes
  EXPECT_EQ(bandwidth(make_preset("RTX5090"), "cpu:0", "gpu:0"), 50.4e9);

  EXPECT_EQ(bandwidth(make_preset("4xV100-nvlink"), "gpu:0", "gpu:3"), 46e9);
  EXPECT_EQ(bandwidth(make_preset("8xA100"), "gpu:0", "gpu:7"), 276e9);
  EXPECT_EQ(bandwidth(make_preset("8xH100"), "gpu:0", "gpu:7"), 414e9);
  EXPECT_EQ(bandwidth(make_preset("4xA100-pcie"), "gpu:0", "gpu:3"), 25.2e9);
  EXPECT_EQ(bandwidth(make_preset("A100+V100"), "gpu:0", "gpu:1"), 12.6e9);
  const Cluster a100 = make_preset("2x8xA100-ib");
  EXPECT_EQ(bandwidth(a100, "host0/gpu:0", "host1/gpu:5"), 23.75e9);
  EXPECT_EQ(bandwidth(a100, "host0/gpu:0", "host0/gpu:5"), 276e9);
  EXPECT_EQ(bandwidth(a100, "host0/cpu:0", "host0/gpu:5"), 25.2e9);
  EXPECT_EQ(bandwidth(make_preset("4x8xV100-ib"), "host0/gpu:0", "host3/gpu:5"), 11.875e9);
  EXPECT_EQ(bandwidth(make_preset("2x8xH100-ib"), "host0/gpu:0", "host1/gpu:5"), 47.5e9);
}

TEST(LoadCluster, TakesPresets) {
  const LoadedCluster loaded = load_cluster("2xK80");
  EXPECT_EQ(loaded.cluster.name(), "2xK80");
  EXPECT_EQ(loaded.sha256, sha256_hex(cluster_to_json(loaded.cluster)));
  EXPECT_TRUE(loaded.warnings.empty());
}

class LoadClusterFile : public testing::Test {
 protected:
  // A folder of its own: tests run side by side.
  LoadClusterFile() : folder_(testing::TempDir() + "berth_load_cluster_XXXXXX") {
    if (mkdtemp(folder_.data()) == nullptr) ADD_FAILURE() << "cannot make " << folder_;
  }
  ~LoadClusterFile() override { std::filesystem::remove_all(folder_); }
  std::string folder_;
};

TEST_F(LoadClusterFile, TakesFilesOfAnyName) {
  const std::string text =
      R"({"format": "berth.cluster", "version": 1, "devices": [
          {"name": "a", "kind": "b", "memory": 1}], "x": 1})";
  for (const char* name : {"/c.json", "/cluster"}) {
    const std::string path = folder_ + name;
    write_file(path, text);
    const LoadedCluster loaded = load_cluster(path);
    EXPECT_EQ(loaded.cluster.devices()[0].name, "a");
    EXPECT_EQ(loaded.sha256, sha256_hex(text));
    ASSERT_EQ(loaded.warnings.size(), 1u);
    EXPECT_EQ(loaded.warnings[0].find(path + ":2:"), 0u);
  }
}

TEST_F(LoadClusterFile, MissingFilesAreNamed) {
  const std::string error = error_of(folder_ + "/none.json");
  EXPECT_NE(error.find("none.json"), std::string::npos);
  EXPECT_EQ(error.find("NxMODEL"), std::string::npos);
  EXPECT_NE(error_of(folder_).find("there is no cluster"), std::string::npos);
}

}  // namespace
}  // namespace berth
