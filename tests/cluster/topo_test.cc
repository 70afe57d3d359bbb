// Listings of nvidia-smi topo -m as people post them, and the clusters they become.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "base/error.h"
#include "base/file.h"
#include "cluster/topo_listing.h"
#include "cluster/topo_machine.h"

namespace berth {
namespace {

std::string listing_text(const std::string& name) {
  const InputFile file(std::string(BERTH_TEST_DATA) + "/topo/" + name + ".txt");
  return std::string(file.text());
}

TopoListing listing(const std::string& name) {
  return parse_topo_listing(listing_text(name), name);
}

Cluster machine(const std::string& name, const std::string& model) {
  return cluster_from_topo(listing_text(name), name, model);
}

Route route(const Cluster& cluster, std::string_view from, std::string_view to) {
  return cluster.route(cluster.find_device(from).value(), cluster.find_device(to).value());
}

std::string error_of(std::string_view text, const std::string& model = "V100") {
  try {
    cluster_from_topo(text, "topo.txt", model);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

// All devices reach each other, whatever the listing.
void expect_joined(const Cluster& cluster) {
  for (std::size_t from = 0; from < cluster.device_count(); ++from)
    for (std::size_t to = 0; to < cluster.device_count(); ++to)
      EXPECT_EQ(cluster.route(DeviceId(from), DeviceId(to)).exists(), from != to);
}

TEST(TopoListing, ReadsPathsLinksAndNodes) {
  const TopoListing cards = listing("workstation_two_sockets");
  ASSERT_EQ(cards.gpus, 5u);
  EXPECT_EQ(cards.path(0, 1), PciePath::sys);
  EXPECT_EQ(cards.path(1, 2), PciePath::phb);
  EXPECT_EQ(cards.path(2, 3), PciePath::node);
  EXPECT_EQ(cards.links_between(1, 2), 0);
  EXPECT_EQ(cards.numa_nodes, (std::vector<int>{1, 0, 0, 0, 0}));

  const TopoListing old = listing("eight_on_bridges");
  EXPECT_EQ(old.path(0, 1), PciePath::pix);
  EXPECT_EQ(old.path(0, 2), PciePath::phb);
  EXPECT_EQ(old.path(0, 7), PciePath::sys);
  EXPECT_EQ(old.numa_nodes[0], -1);
  EXPECT_EQ(listing("one_t4").gpus, 1u);
}

TEST(TopoListing, FindsThePathBehindNvlinks) {
  const TopoListing dgx1 = listing("dgx1_v100");
  EXPECT_EQ(dgx1.links_between(0, 3), 2);
  EXPECT_EQ(dgx1.links_between(0, 1), 1);
  EXPECT_EQ(dgx1.links_between(0, 5), 0);
  EXPECT_EQ(dgx1.path(0, 1), PciePath::pix);  // both PIX from mlx5_0
  EXPECT_EQ(dgx1.path(0, 3), PciePath::phb);
  EXPECT_EQ(dgx1.path(0, 4), PciePath::sys);
  const TopoListing dgx_a100 = listing("dgx_a100");
  EXPECT_EQ(dgx_a100.path(0, 1), PciePath::pxb);
  EXPECT_EQ(dgx_a100.path(1, 2), PciePath::sys);
  EXPECT_EQ(dgx_a100.numa_nodes, (std::vector<int>{3, 3, 1, 1, 7, 7, 5, 5}));
  const TopoListing hgx = listing("hgx_h100");  // some of whose tabs are lost
  EXPECT_EQ(hgx.links_between(2, 7), 18);
  EXPECT_EQ(hgx.path(0, 3), PciePath::node);
  EXPECT_EQ(hgx.path(0, 4), PciePath::sys);
  EXPECT_EQ(hgx.numa_nodes[7], 1);
}

TEST(TopoListing, SaysWhatIsWrong) {
  EXPECT_EQ(error_of("hello"),
            "topo.txt: there is no heading with GPU0; give the output of nvidia-smi topo -m");
  EXPECT_EQ(error_of("\tGPU0\tGPU1\nGPU0\t X \tOK\nGPU1\tOK\t X \n"),
            "topo.txt:2: the entry \"OK\" of GPU0 is unknown; it is X, NV and a number, PIX, PXB, "
            "PHB, NODE or SYS, as nvidia-smi topo -m prints them");
  EXPECT_EQ(error_of("\tGPU0\tGPU1\nGPU0\t X \tPIX\n"),
            "topo.txt: the heading names 2 GPUs, but there are rows of 1; give the whole output of "
            "nvidia-smi topo -m");
  EXPECT_EQ(error_of("\tGPU0\tGPU1\nGPU0\t X \n"),
            "topo.txt:2: the row of GPU0 has 1 entries, but the heading names 2 columns");
  EXPECT_EQ(error_of("\tGPU0\tGPU1\nGPU1\t X \tPIX\n"),
            "topo.txt:2: the row of GPU1 comes where that of GPU0 should");
  EXPECT_EQ(error_of("\tGPU0\tGPU1\nGPU0\t X \tPIX\nGPU1\tSYS\t X \n"),
            "topo.txt: the entries of GPU0 and GPU1 for each other do not agree; nvidia-smi topo "
            "-m prints the same entry both ways, and X for a GPU and itself");
  EXPECT_NE(error_of("\tGPU0\tGPU1\nGPU0\t X \tNV999999999999\nGPU1\tNV9\t X \n"), "");
  EXPECT_NE(error_of("\x1b[\x1b\tGPU0\nGPU0"), "");
}

TEST(TopoMachine, NamesTheModelThatDoesNotFit) {
  EXPECT_EQ(error_of(listing_text("rtx3090_bridge"), "RTX4090"),
            "topo.txt: GPU0 and GPU1 are joined by NV4, but RTX4090 has no NVLink; name the model "
            "that is in the machine");
  EXPECT_EQ(error_of(listing_text("hgx_h100"), "A100"),
            "topo.txt: GPU0 and GPU1 are joined by NV18, but A100 has 12 NVLinks; name the model "
            "that is in the machine");
  EXPECT_NE(error_of(listing_text("one_t4"), "T5").find("\"T5\" is not a known NVIDIA GPU model"),
            std::string::npos);
  EXPECT_NE(error_of(listing_text("one_t4"), "M4-Max").find("not a known NVIDIA GPU model"),
            std::string::npos);
}

TEST(TopoMachine, HybridCubeMeshOfDgx1) {
  const Cluster cluster = machine("dgx1_v100", "V100");
  expect_joined(cluster);
  EXPECT_EQ(cluster.device_count(), 9u);
  EXPECT_EQ(cluster.devices()[1].flops_for(DType::f32), 15.7e12);  // the module, not the card
  EXPECT_EQ(route(cluster, "gpu:0", "gpu:3").bandwidth, 46e9);
  EXPECT_EQ(route(cluster, "gpu:0", "gpu:1").bandwidth, 23e9);
  EXPECT_EQ(route(cluster, "gpu:0", "gpu:3").channels.size(), 1u);
  // Not joined by NVLink: over both PCIe switches, host bridges and the machine.
  EXPECT_EQ(route(cluster, "gpu:0", "gpu:5").bandwidth, 12.6e9);
  EXPECT_EQ(route(cluster, "gpu:0", "gpu:5").channels.size(), 6u);
  EXPECT_EQ(route(cluster, "cpu:0", "gpu:5").channels.size(), 2u);
}

TEST(TopoMachine, NvswitchWhereEveryPairHasAllLinks) {
  const Cluster a100 = machine("dgx_a100", "A100-80GB");
  expect_joined(a100);
  EXPECT_EQ(route(a100, "gpu:0", "gpu:7").bandwidth, 276e9);
  EXPECT_EQ(route(a100, "gpu:0", "gpu:7").channels.size(), 2u);
  const auto switches = a100.switches();
  EXPECT_NE(std::find(switches.begin(), switches.end(), "nvswitch"), switches.end());
  const Cluster h100 = machine("hgx_h100", "H100");
  expect_joined(h100);
  EXPECT_EQ(route(h100, "gpu:2", "gpu:6").bandwidth, 414e9);
}

TEST(TopoMachine, BridgeBetweenTwoCards) {
  const Cluster cluster = machine("rtx3090_bridge", "RTX3090");
  expect_joined(cluster);
  EXPECT_EQ(cluster.device_count(), 3u);
  EXPECT_EQ(route(cluster, "gpu:0", "gpu:1").bandwidth, 51.75e9);
  EXPECT_EQ(route(cluster, "gpu:0", "gpu:1").channels.size(), 1u);
  EXPECT_EQ(route(cluster, "cpu:0", "gpu:1").bandwidth, 25.2e9);
}

TEST(TopoMachine, CardsOfAWorkstation) {
  const Cluster cluster = machine("workstation_two_sockets", "RTX4090");
  expect_joined(cluster);
  EXPECT_EQ(route(cluster, "gpu:1", "gpu:2").channels.size(), 2u);  // one host bridge
  EXPECT_EQ(route(cluster, "gpu:1", "gpu:3").channels.size(), 4u);  // two of one node
  EXPECT_EQ(route(cluster, "gpu:0", "gpu:1").channels.size(), 4u);  // another socket
  EXPECT_EQ(route(cluster, "gpu:0", "gpu:1").bandwidth, 25.2e9);
  EXPECT_EQ(route(cluster, "cpu:0", "gpu:4").channels.size(), 1u);
}

TEST(TopoMachine, FourOfACloud) {
  const Cluster cluster = machine("p3_8xlarge", "V100");
  expect_joined(cluster);
  EXPECT_EQ(route(cluster, "gpu:0", "gpu:3").bandwidth, 46e9);
  EXPECT_EQ(route(cluster, "gpu:1", "gpu:3").bandwidth, 23e9);
}

TEST(TopoMachine, PairsOnBridgesAndOneCardAlone) {
  const Cluster cluster = machine("eight_on_bridges", "P100");
  expect_joined(cluster);
  EXPECT_EQ(route(cluster, "gpu:0", "gpu:1").channels.size(), 2u);
  EXPECT_EQ(route(cluster, "gpu:0", "gpu:2").channels.size(), 4u);
  EXPECT_EQ(route(cluster, "gpu:0", "gpu:6").channels.size(), 6u);
  EXPECT_EQ(route(cluster, "cpu:0", "gpu:6").channels.size(), 2u);
  const Cluster one = machine("one_t4", "T4");
  expect_joined(one);
  EXPECT_TRUE(one.switches().empty());
  EXPECT_EQ(one.links().size(), 1u);
}

}  // namespace
}  // namespace berth
