// The cluster format: what is read, what is refused and in which words, and that writing and
// reading give back the very same cluster.
#include "cluster/cluster_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/error.h"
#include "base/random.h"

namespace berth {
namespace {

constexpr std::string_view kExample = R"({"format": "berth.cluster", "version": 1, "name": "two",
 "devices": [{"name": "cpu:0", "kind": "cpu", "memory": "64GiB", "flops": "0.6TFLOPS",
              "bandwidth": "60GB/s", "launch": "2us", "slots": 4},
             {"name": "gpu:0", "kind": "gpu", "model": "P100", "memory": "16GiB",
              "reserved": "500MiB", "flops": {"f32": "9.3TFLOPS", "f16": 18.7e12},
              "bandwidth": "732GB/s", "launch": "8us"}],
 "switches": ["pcie"],
 "links": [{"between": ["gpu:0", "pcie"], "bandwidth": "12GB/s", "latency": "10us"},
           {"between": ["pcie", "cpu:0"], "bandwidth": "200Gb/s", "duplex": false}]})";

// The example with the first occurrence of a text replaced.
std::string changed(std::string_view what, std::string_view with) {
  std::string text(kExample);
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), with);
}

std::string error_of(std::string_view text) {
  try {
    parse_cluster(text, "c.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

void expect_same(const Cluster& a, const Cluster& b) {
  EXPECT_EQ(a.name(), b.name());
  EXPECT_TRUE(
      std::equal(a.devices().begin(), a.devices().end(), b.devices().begin(), b.devices().end()));
  EXPECT_TRUE(std::equal(a.switches().begin(), a.switches().end(), b.switches().begin(),
                         b.switches().end()));
  EXPECT_TRUE(std::equal(a.links().begin(), a.links().end(), b.links().begin(), b.links().end()));
}

void expect_round_trip(const Cluster& cluster) {
  const std::string text = cluster_to_json(cluster);
  std::vector<std::string> warnings;
  const Cluster again = parse_cluster(text, "again", &warnings);
  expect_same(cluster, again);
  EXPECT_EQ(cluster_to_json(again), text);
  EXPECT_TRUE(warnings.empty());
}

TEST(ClusterFile, ReadsUnitsAndDefaults) {
  std::vector<std::string> warnings;
  const Cluster cluster = parse_cluster(kExample, "c.json", &warnings);
  EXPECT_TRUE(warnings.empty());
  EXPECT_EQ(cluster.name(), "two");
  const Device& cpu = cluster.devices()[0];
  EXPECT_EQ(cpu.memory_bytes, std::int64_t{64} << 30);
  EXPECT_EQ(cpu.reserved_bytes, 0);
  EXPECT_EQ(cpu.flops, (std::vector<std::pair<DType, double>>{{DType::unknown, 0.6e12}}));
  EXPECT_EQ(cpu.launch_seconds, 2 / 1e6);
  EXPECT_EQ(cpu.slots, 4);
  const Device& gpu = cluster.devices()[1];
  EXPECT_EQ(gpu.model, "P100");
  EXPECT_EQ(gpu.reserved_bytes, 500 << 20);
  EXPECT_EQ(gpu.flops,
            (std::vector<std::pair<DType, double>>{{DType::f32, 9.3e12}, {DType::f16, 18.7e12}}));
  EXPECT_EQ(gpu.slots, 1);
  EXPECT_EQ(cluster.links()[0], (Link{1, 2, 12e9, 1e-5, true}));
  EXPECT_EQ(cluster.links()[1], (Link{2, 0, 25e9, 0, false}));
}

TEST(ClusterFile, SaysOrLeavesOutWhatIsUnlimited) {
  const Cluster cluster = parse_cluster(
      R"({"devices": [{"kind": "cpu", "name": "c", "memory": "unlimited"}], "version": 1.0,
          "format": "berth.cluster"})",
      "c.json");
  EXPECT_EQ(cluster.name(), "");
  EXPECT_EQ(cluster.devices()[0].memory_bytes, kUnlimitedBytes);
  EXPECT_EQ(cluster.devices()[0].bandwidth, std::numeric_limits<double>::infinity());
  EXPECT_TRUE(cluster.devices()[0].flops.empty());
  EXPECT_TRUE(cluster.links().empty());
  expect_round_trip(cluster);
}

TEST(ClusterFile, LinksMayComeBeforeDevices) {
  const Cluster cluster = parse_cluster(
      R"({"links": [{"bandwidth": 1, "between": ["s", "a"]}], "switches": ["s"],
          "format": "berth.cluster", "version": 1, "devices": [{"kind": "k", "name": "a", "memory": 1}]})",
      "c.json");
  EXPECT_EQ(cluster.links()[0], (Link{1, 0, 1, 0, true}));
}

TEST(ClusterFile, FormatIsCheckedFirst) {
  EXPECT_EQ(error_of(R"({"ops": [{"name": 3}], "format": "berth.graph", "version": 1})"),
            "c.json: \"format\" is \"berth.graph\"; a cluster file has \"format\": "
            "\"berth.cluster\"");
  EXPECT_EQ(error_of(R"({"devices": []})"),
            "c.json: \"format\" is missing; a cluster file has \"format\": \"berth.cluster\"");
  EXPECT_EQ(error_of(R"({"format": 1})"),
            "c.json: \"format\" is not a string; a cluster file has \"format\": "
            "\"berth.cluster\"");
  EXPECT_EQ(error_of(R"({"format": "berth.cluster"})"),
            "c.json: \"version\" is missing; this program reads \"version\": 1");
  EXPECT_EQ(error_of(R"({"version": 2, "format": "berth.cluster"})"),
            "c.json:1:13: \"version\" is 2; this program reads version 1");
  EXPECT_EQ(error_of(R"({"version": "1", "format": "berth.cluster"})"),
            "c.json:1:13: \"version\" is not a number; this program reads version 1");
  EXPECT_NE(error_of("[]").find("c.json:1:1: "), std::string::npos);
  EXPECT_NE(error_of(""), "");
}

TEST(ClusterFile, DuplicateKeysAreRefused) {
  EXPECT_EQ(error_of(changed("\"name\": \"two\"", "\"version\": 1")),
            "c.json:1:43: the key \"version\" of the cluster is given twice; give it once");
  EXPECT_EQ(error_of(changed("\"slots\": 4", "\"kind\": \"cpu\"")),
            "c.json:3:55: the key \"kind\" of a device is given twice; give it once");
  EXPECT_NE(error_of(changed("\"latency\"", "\"bandwidth\"")).find("\"bandwidth\" of a link"),
            std::string::npos);
  EXPECT_EQ(error_of(changed("\"f16\"", "\"f32\"")),
            "c.json:5:67: flops of device \"gpu:0\" are given twice for f32; give one rate");
}

TEST(ClusterFile, MissingKeysAreNamed) {
  EXPECT_EQ(error_of(changed("\"name\": \"cpu:0\", ", "")),
            "c.json:2:14: \"name\" of a device is missing");
  EXPECT_EQ(error_of(changed("\"kind\": \"gpu\", ", "")),
            "c.json:4:14: \"kind\" of a device is missing");
  EXPECT_EQ(error_of(changed("\"memory\": \"16GiB\",", "")),
            "c.json:4:14: \"memory\" of a device is missing; give a size such as \"16GiB\", or "
            "\"unlimited\"");
  EXPECT_EQ(error_of(changed("\"between\": [\"gpu:0\", \"pcie\"], ", "")),
            "c.json:8:12: \"between\" of a link is missing");
  EXPECT_EQ(error_of(changed("\"bandwidth\": \"12GB/s\", ", "")),
            "c.json:8:12: \"bandwidth\" of a link is missing");
  EXPECT_EQ(error_of(R"({"format": "berth.cluster", "version": 1})"),
            "c.json:1:1: \"devices\" of the cluster is missing");
}

TEST(ClusterFile, WrongValuesCarryTheirPlace) {
  EXPECT_EQ(error_of(changed("[\"gpu:0\", \"pcie\"]", "[\"gpu:0\", \"pci\"]")),
            "c.json:8:34: link number 0 ends at \"pci\", which is neither a device nor a switch of "
            "this file; did you mean \"pcie\"?");
  EXPECT_EQ(error_of(changed("[\"gpu:0\", \"pcie\"]", "[\"gpu:0\", \"elsewhere\"]")),
            "c.json:8:34: link number 0 ends at \"elsewhere\", which is neither a device nor a "
            "switch of this file; known are cpu:0, gpu:0 and pcie");
  EXPECT_EQ(error_of(changed("[\"gpu:0\", \"pcie\"]", "[\"gpu:0\"]")),
            "c.json:8:24: \"between\" of link number 0 names 1 ends; it names two devices or "
            "switches");
  EXPECT_EQ(error_of(changed("[\"gpu:0\", \"pcie\"]", "[\"gpu:0\", \"pcie\", \"cpu:0\"]")),
            "c.json:8:24: \"between\" of link number 0 names 3 ends; it names two devices or "
            "switches");
  EXPECT_EQ(error_of(changed("\"12GB/s\"", "0")),
            "c.json:8:12: the link between \"gpu:0\" and \"pcie\" has a bandwidth of 0 bytes/s; it "
            "is finite and above 0");
  EXPECT_EQ(error_of(changed("\"500MiB\"", "\"17GiB\"")),
            "c.json:4:14: device \"gpu:0\" has 18253611008 bytes reserved of a memory of "
            "17179869184; at most the whole memory can be reserved");
  EXPECT_EQ(error_of(changed("\"gpu:0\"", "\"cpu:0\"")).substr(0, 13), "c.json:4:14: ");
  EXPECT_EQ(error_of(changed("[\"pcie\"]", "[\"a\", \"gpu:0\"]").replace(0, 0, " ")).substr(0, 6),
            "c.json");
  EXPECT_NE(error_of(changed("\"f16\"", "\"fp16\"")).find("which is not a dtype; known are "),
            std::string::npos);
  EXPECT_NE(error_of(changed("\"f16\"", "\"fp16\"")).find("did you mean \"f16\"?"),
            std::string::npos);
}

TEST(ClusterFile, WrongUnitsAndTypesAreRefused) {
  for (const auto& [what, with] :
       std::vector<std::pair<std::string, std::string>>{{"\"64GiB\"", "\"64GB/s\""},
                                                        {"\"64GiB\"", "\"no limit\""},
                                                        {"\"64GiB\"", "-1"},
                                                        {"\"64GiB\"", "1e300"},
                                                        {"\"60GB/s\"", "\"60\""},
                                                        {"\"2us\"", "\"2 weeks\""},
                                                        {"\"slots\": 4", "\"slots\": 0"},
                                                        {"\"slots\": 4", "\"slots\": 1.5"},
                                                        {"false", "0"},
                                                        {"[\"pcie\"]", "[7]"},
                                                        {"[\"pcie\"]", "{}"},
                                                        {"\"P100\"", "null"}}) {
    const std::string error = error_of(changed(what, with));
    EXPECT_EQ(error.find("c.json:"), 0u) << with << ": " << error;
  }
  EXPECT_NE(error_of(std::string(kExample) + "x"), "");
}

TEST(ClusterFile, UnknownKeysOfDevicesAndLinksAreRefused) {
  EXPECT_EQ(error_of(changed("\"memory\": \"64GiB\"", "\"mem\": \"64GiB\"")),
            "c.json:2:47: the key \"mem\" of a device is unknown; did you mean \"memory\"?");
  EXPECT_EQ(error_of(changed("\"launch\": \"2us\"", "\"lunch\": \"2us\"")),
            "c.json:3:38: the key \"lunch\" of a device is unknown; did you mean \"launch\"?");
  EXPECT_EQ(error_of(changed("\"duplex\": false", "\"colour\": false")),
            "c.json:9:67: the key \"colour\" of a link is unknown; known are between, bandwidth, "
            "latency and duplex");
}

TEST(ClusterFile, UnknownKeysOfTheClusterAreNotesUnlessMisspelt) {
  EXPECT_EQ(error_of(changed("\"links\"", "\"link\"")),
            "c.json:8:2: the key \"link\" of the cluster is unknown; did you mean \"links\"?");
  const std::string text = changed("\"switches\"", "\"colour\": {\"a\": [1]}, \"switches\"");
  std::vector<std::string> warnings;
  parse_cluster(text, "c.json", &warnings);
  EXPECT_EQ(warnings,
            (std::vector<std::string>{
                "c.json:7:2: the key \"colour\" of the cluster is unknown and ignored; known are "
                "format, version, name, devices, switches and links"}));
}

TEST(ClusterFile, RoundTripIsExact) {
  expect_round_trip(parse_cluster(kExample, "c.json"));
  Random random(5);
  for (int i = 0; i < 200; ++i) {
    // Any double that is legal, from the smallest to the largest.
    const auto any = [&] { return std::exp2(random.uniform() * 2000 - 1000); };
    std::vector<Device> devices(static_cast<std::size_t>(random.between(1, 5)));
    for (std::size_t d = 0; d < devices.size(); ++d) {
      Device& device = devices[d];
      device.name = fmt::format("d\"\\\n\t\u00e9{}", d);
      device.kind = std::string(random.chance(0.5) ? "gpu" : "c p u");
      if (random.chance(0.5)) device.model = std::string("M");
      if (random.chance(0.5)) device.memory_bytes = static_cast<std::int64_t>(random.next() >> 1);
      if (random.chance(0.5)) device.reserved_bytes = device.memory_bytes / 3;
      if (random.chance(0.3)) device.flops = {{DType::unknown, any()}};
      if (random.chance(0.5)) device.flops = {{DType::i4, any()}, {DType::f64, any()}};
      if (random.chance(0.5)) device.bandwidth = any();
      if (random.chance(0.5)) device.launch_seconds = any();
      if (random.chance(0.5)) device.slots = random.between(1, 1000);
    }
    const std::vector<std::string> switches = {"s", "t"};
    std::vector<Link> links(random.below(6));
    for (Link& link : links) {
      link.from = static_cast<std::uint32_t>(random.below(devices.size()));
      link.to = static_cast<std::uint32_t>(devices.size() + random.below(2));
      if (random.chance(0.5)) std::swap(link.from, link.to);
      link.bandwidth = any();
      if (random.chance(0.5)) link.latency_seconds = any();
      link.duplex = random.chance(0.5);
    }
    expect_round_trip(Cluster("round \xe2\x86\x94 trip", devices, switches, links));
  }
}

TEST(ClusterFile, MinusZeroBecomesZero) {
  std::vector<Device> devices(2);
  devices[0].name = "a";
  devices[1].name = "b";
  devices[0].kind = devices[1].kind = "gpu";
  devices[0].launch_seconds = -0.0;
  expect_round_trip(Cluster("", devices, {}, {{0, 1, 1, -0.0}}));
}

}  // namespace
}  // namespace berth
