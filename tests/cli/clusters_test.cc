// berth clusters: finding the machine, reading a topology, and cluster files with mistakes.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/file.h"
#include "cli/berth_process.h"

namespace berth::cli {
namespace {

class Clusters : public testing::Test {
 protected:
  ProcessResult berth(const std::vector<std::string>& words) const {
    return run_berth(directory, words);
  }
  static std::string topo(const std::string& name) {
    return std::string(BERTH_TEST_DATA) + "/topo/" + name + ".txt";
  }

  TemporaryDirectory directory;
};

TEST_F(Clusters, MisspeltMemoryIsNotUnlimitedMemory) {
  directory.write("c.json", R"({"format": "berth.cluster", "version": 1, "devices": [
  {"name": "gpu:0", "kind": "gpu", "mem": "1MiB", "flops": "9TFLOPS"}]})");
  expect_refused(berth({"place", "zoo:tiny", "--cluster", "c.json"}),
                 {"c.json:2:36", "\"mem\"", "did you mean \"memory\"?"});
  directory.write("c.json", R"({"format": "berth.cluster", "version": 1, "devices": [
  {"name": "gpu:0", "kind": "gpu", "flops": "9TFLOPS"}]})");
  expect_refused(berth({"place", "zoo:tiny", "--cluster", "c.json"}),
                 {"c.json:2:3", "\"memory\" of a device is missing", "\"unlimited\""});
}

TEST_F(Clusters, HelpSaysWhatCanBeWritten) {
  const std::string help = berth({"clusters", "--help"}).out;
  for (const char* part : {"4xA100-80GB", "RTX3090+RTX3060", "2x8xA100-ib", "MI300X", "M4-Max"})
    EXPECT_NE(help.find(part), std::string::npos) << part;
}

TEST_F(Clusters, SaysWhoseEfficienciesAModelUses) {
  EXPECT_NE(berth({"clusters", "4xL40S"}).out.find("efficiencies of L40S: the defaults for gpu"),
            std::string::npos);
  EXPECT_EQ(berth({"clusters", "1xA100"}).out.find("efficiencies of A100"), std::string::npos);
  EXPECT_NE(berth({"clusters", "4xL40S", "--json"}).out.find("\"L40S\": \"gpu\""),
            std::string::npos);
}

TEST_F(Clusters, TopologiesBecomeFilesToPlaceOn) {
  for (const auto& [name, model] :
       std::vector<std::pair<std::string, std::string>>{{"dgx1_v100", "V100"},
                                                        {"dgx_a100", "A100"},
                                                        {"hgx_h100", "H100"},
                                                        {"rtx3090_bridge", "RTX3090"},
                                                        {"workstation_two_sockets", "RTX4090"},
                                                        {"p3_8xlarge", "V100"},
                                                        {"eight_on_bridges", "P100"},
                                                        {"one_t4", "T4"}}) {
    SCOPED_TRACE(name);
    const ProcessResult written =
        berth({"clusters", "--from-topo", topo(name), "--gpu", model, "-o", "c.json"});
    EXPECT_EQ(written.status, 0) << written.error;
    const ProcessResult placed =
        berth({"place", "zoo:tiny", "--cluster", "c.json", "--method", "etf"});
    EXPECT_EQ(placed.status, 0) << placed.error;
    EXPECT_EQ(placed.error.find("warning"), std::string::npos) << placed.error;
    // Without -o the same goes to standard output.
    EXPECT_EQ(berth({"clusters", "--from-topo", topo(name), "--gpu", model}).out,
              directory.read("c.json"));
  }
}

TEST_F(Clusters, TheModelOfATopologyIsAskedFor) {
  expect_refused(berth({"clusters", "--from-topo", topo("p3_8xlarge")}), {"--gpu"});
  expect_refused(berth({"clusters", "--from-topo", topo("p3_8xlarge"), "--gpu", "V10O"}),
                 {"--gpu: \"V10O\" is not a known", "did you mean \"V100\"?"});
  expect_refused(berth({"clusters", "--from-topo", topo("p3_8xlarge"), "--gpu", "T4"}),
                 {"--gpu: ", "p3_8xlarge.txt", "T4 has no NVLink"});
  expect_refused(berth({"clusters", "--from-topo", "none.txt", "--gpu", "T4"}), {"none.txt"});
  expect_refused(berth({"clusters", "--from-topo", topo("one_t4"), "--detect"}), {"--detect"});
  expect_refused(berth({"clusters", "4xP100", "--detect"}), {"4xP100"});
  expect_refused(berth({"clusters", "--gpu", "T4"}), {"--gpu"});
  expect_refused(berth({"clusters", "4xP100", "-o", "x.json"}), {"--output", "berth convert"});
}

TEST_F(Clusters, DetectsThisMachineAndItsGpus) {
  // A program of that name goes before whatever the machine has.
  directory.write("nvidia-smi", R"(#!/bin/sh
if [ "$1" = topo ]; then
  printf '\tGPU0\tGPU1\tCPU Affinity\nGPU0\t X \tPIX\t0-3\nGPU1\tPIX\t X \t0-3\n'
else
  printf 'NVIDIA L4, 23034, 4, 16\nNVIDIA L4, 23034, 4, 16\n'
fi
)");
  std::filesystem::permissions(directory.file("nvidia-smi"), std::filesystem::perms::owner_all);
  const std::string path = std::getenv("PATH");
  ASSERT_EQ(setenv("PATH", (directory.path() + ":" + path).c_str(), 1), 0);
  const ProcessResult result = berth({"clusters", "--detect", "-o", "machine.json"});
  const ProcessResult json = berth({"clusters", "--detect", "-o", "machine.json", "--json"});
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(result.status, 0) << result.error;
  EXPECT_NE(result.error.find("bandwidth of the CPU's memory"), std::string::npos) << result.error;
  EXPECT_NE(json.out.find("\"written\": \"machine.json\""), std::string::npos) << json.out;
  const std::string text = directory.read("machine.json");
  EXPECT_NE(text.find("\"cpu:0\""), std::string::npos);
  EXPECT_NE(text.find("\"gpu:1\""), std::string::npos);
  const ProcessResult placed =
      berth({"place", "zoo:tiny", "--cluster", "machine.json", "--method", "etf"});
  EXPECT_EQ(placed.status, 0) << placed.error;
}

}  // namespace
}  // namespace berth::cli
