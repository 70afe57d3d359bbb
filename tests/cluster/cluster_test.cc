// What makes a cluster legal, sentence by sentence, and how its devices are found.
#include "cluster/cluster.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>

#include "base/error.h"

namespace berth {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

struct Parts {
  std::vector<Device> devices;
  std::vector<std::string> switches = {"pcie"};
  std::vector<Link> links = {{0, 2, 12e9, 1e-5}, {1, 2, 12e9, 1e-5}};

  Parts() : devices(2) {
    devices[0].name = "cpu:0";
    devices[0].kind = "cpu";
    devices[1].name = "gpu:0";
    devices[1].kind = "gpu";
    devices[1].model = "P100";
    devices[1].memory_bytes = 1000;
  }
  Cluster build() const { return Cluster("test", devices, switches, links); }
};

// Builds the two-device cluster with one thing changed and returns what is said against it.
std::string complaint(const std::function<void(Parts&)>& change) {
  Parts parts;
  change(parts);
  try {
    parts.build();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Cluster, AcceptsWhatIsLegal) {
  EXPECT_EQ(complaint([](Parts&) {}), "");
  EXPECT_EQ(complaint([](Parts& parts) { parts.links.clear(); }), "");
  EXPECT_EQ(complaint([](Parts& parts) { parts.devices[1].reserved_bytes = 1000; }), "");
  EXPECT_EQ(complaint([](Parts& parts) { parts.devices[0].reserved_bytes = 1000; }), "");
  EXPECT_EQ(complaint([](Parts& parts) { parts.devices[1].bandwidth = kInfinity; }), "");
  EXPECT_EQ(complaint([](Parts& parts) { parts.links[0].latency_seconds = 0; }), "");
}

TEST(Cluster, NamesAreThereAndUnique) {
  EXPECT_EQ(complaint([](Parts& parts) { parts.devices.clear(); }),
            "the cluster has no devices; it needs at least one to run anything");
  EXPECT_EQ(complaint([](Parts& parts) { parts.devices.resize(65535); }),
            "the cluster has 65535 devices; at most 65534 are supported");
  EXPECT_EQ(complaint([](Parts& parts) { parts.devices[1].name = ""; }),
            "device number 1 has an empty name; give it a name of its own, such as \"gpu:0\"");
  EXPECT_EQ(complaint([](Parts& parts) { parts.switches[0] = ""; }),
            "switch number 0 has an empty name; give it a name of its own");
  EXPECT_EQ(complaint([](Parts& parts) { parts.devices[1].name = "cpu:0"; }),
            "the name \"cpu:0\" is given twice; every device and switch has a name of its own");
  EXPECT_EQ(complaint([](Parts& parts) { parts.switches[0] = "gpu:0"; }),
            "the name \"gpu:0\" is given twice; every device and switch has a name of its own");
  EXPECT_EQ(complaint([](Parts& parts) { parts.devices[1].kind = ""; }),
            "device \"gpu:0\" has an empty kind; say what it is, such as \"cpu\" or \"gpu\"");
}

TEST(Cluster, SizesOfDevicesAreRight) {
  EXPECT_EQ(complaint([](Parts& parts) { parts.devices[1].memory_bytes = -1; }),
            "device \"gpu:0\" has a memory of -1 bytes; it is 0 or more, or "
            "\"unlimited\"");
  EXPECT_EQ(complaint([](Parts& parts) { parts.devices[1].reserved_bytes = -1; }),
            "device \"gpu:0\" has -1 bytes reserved; it is 0 or more");
  EXPECT_EQ(
      complaint([](Parts& parts) { parts.devices[1].reserved_bytes = 1001; }),
      "device \"gpu:0\" has 1001 bytes reserved of a memory of 1000; at most the whole memory "
      "can be reserved");
  EXPECT_EQ(complaint([](Parts& parts) { parts.devices[1].slots = 0; }),
            "device \"gpu:0\" has 0 slots; a device has 1 or more");
}

TEST(Cluster, RatesOfDevicesAreRight) {
  for (const double rate : {0.0, -1.0, kInfinity, kNotANumber}) {
    EXPECT_NE(complaint([&](Parts& parts) {
                parts.devices[1].flops = {{DType::f32, rate}};
              }).find("; a rate is finite and above 0, or left out when it is not known"),
              std::string::npos)
        << rate;
  }
  EXPECT_EQ(complaint([](Parts& parts) {
              parts.devices[1].flops = {{DType::f16, 1}, {DType::f16, 2}};
            }),
            "device \"gpu:0\" has flops for f16 twice; give one rate per dtype");
  EXPECT_EQ(complaint([](Parts& parts) {
              parts.devices[1].flops = {{DType::unknown, 1}, {DType::f16, 2}};
            }),
            "device \"gpu:0\" has both one rate of flops for all dtypes and rates per dtype; give "
            "one");
  EXPECT_EQ(complaint([](Parts& parts) { parts.devices[1].bandwidth = 0; }),
            "device \"gpu:0\" has a memory bandwidth of 0 bytes/s; it is above 0, or left out when "
            "unlimited");
  EXPECT_EQ(complaint([](Parts& parts) { parts.devices[1].launch_seconds = -1; }),
            "device \"gpu:0\" has a launch time of -1 seconds; it is finite and 0 or more");
}

TEST(Cluster, LinksAreRight) {
  EXPECT_EQ(complaint([](Parts& parts) { parts.links[1].to = 3; }),
            "link number 1 ends at vertex 3, but the 2 devices and 1 switches are numbered 0 to 2");
  EXPECT_EQ(complaint([](Parts& parts) { parts.links[1].to = 1; }),
            "link number 1 joins \"gpu:0\" with itself; a link has two different ends");
  for (const double bandwidth : {0.0, -1.0, kInfinity, kNotANumber}) {
    EXPECT_EQ(complaint([&](Parts& parts) {
                parts.links[1].bandwidth = bandwidth;
              }).find("the link between \"gpu:0\" and \"pcie\" has a bandwidth of "),
              0u);
  }
  for (const double latency : {-1.0, kInfinity, kNotANumber}) {
    EXPECT_EQ(complaint([&](Parts& parts) {
                parts.links[1].latency_seconds = latency;
              }).find("the link between \"gpu:0\" and \"pcie\" has a latency of "),
              0u);
  }
}

TEST(Cluster, TwentyThousandDevicesAreNotTooMany) {
  EXPECT_EQ(complaint([](Parts& parts) {
              parts.devices.resize(20000, parts.devices[0]);
              for (std::size_t i = 0; i < parts.devices.size(); ++i)
                parts.devices[i].name = fmt::format("d{}", i);
              parts.links.clear();
            }),
            "");
}

TEST(Cluster, FindsDevicesByName) {
  const Cluster cluster = Parts().build();
  EXPECT_EQ(cluster.find_device("gpu:0"), DeviceId(1));
  EXPECT_EQ(cluster.find_device("cpu:0"), DeviceId(0));
  EXPECT_EQ(cluster.find_device("pcie"), std::nullopt);
  EXPECT_EQ(cluster.find_device(""), std::nullopt);
  EXPECT_EQ(cluster.vertex_name(1), "gpu:0");
  EXPECT_EQ(cluster.vertex_name(2), "pcie");
}

TEST(Cluster, DeviceAnswersToNameModelAndKind) {
  const Device device = Parts().devices[1];
  EXPECT_TRUE(device.answers_to("gpu:0"));
  EXPECT_TRUE(device.answers_to("P100"));
  EXPECT_TRUE(device.answers_to("gpu"));
  EXPECT_FALSE(device.answers_to("cpu"));
  EXPECT_FALSE(Parts().devices[0].answers_to(""));
}

TEST(Cluster, FlopsFallBack) {
  Device device;
  EXPECT_EQ(device.flops_for(DType::f32), 0);
  device.flops = {{DType::unknown, 7}};
  EXPECT_EQ(device.flops_for(DType::f16), 7);
  device.flops = {{DType::f16, 2}, {DType::f32, 1}, {DType::f64, 3}};
  EXPECT_EQ(device.flops_for(DType::f64), 3);
  EXPECT_EQ(device.flops_for(DType::i8), 1);
  EXPECT_EQ(device.flops_for(DType::unknown), 1);
  device.flops = {{DType::f16, 2}, {DType::f64, 3}};
  EXPECT_EQ(device.flops_for(DType::i8), 2);
}

TEST(Cluster, UsableBytesAreWhatIsNotReserved) {
  Device device;
  EXPECT_EQ(device.usable_bytes(), kUnlimitedBytes);
  device.memory_bytes = 100;
  device.reserved_bytes = 30;
  EXPECT_EQ(device.usable_bytes(), 70);
}

}  // namespace
}  // namespace berth
